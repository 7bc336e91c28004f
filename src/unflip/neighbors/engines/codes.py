"""Exact search by leaf codes: the nearest rows are those that share most leaves, ties by row number.

A row's leaves list the rows that share any leaf with it, so only those are counted: the cost is the number of rows in
its leaves, not the number of all rows.
"""

import numpy as np

from unflip.foundation.compiled import compiled
from unflip.foundation.threads import row_blocks, run_blocks

QUERIES_PER_BLOCK = 512
NEW_ROW = -1  # the part of a query that took part in growing no tree
NO_LEAF = -1


class CodesEngine:
    """Rows compared by the trees of all parts that hold neither, by the share of these that tell them apart."""

    def fit(self, leaves, parts, n_parts, n_leaves):
        """Keep which rows lie in each leaf.

        leaves has a row of leaf numbers for each point, NO_LEAF where it took part in growing the tree; parts has the
        part of each point. All parts have equally many trees, one part's after the other's.
        """
        self.leaves, self.parts = leaves, parts.astype(np.int64)
        self.n_parts, self.trees_per_part = n_parts, leaves.shape[1] // n_parts
        self.starts, self.members = _members(leaves, n_leaves)
        return self

    def search(self, leaves, parts, k, exclude=None, keep=None, n_jobs=None):
        """Return the shares of trees apart and the row numbers of the k nearest points, sorted by both.

        leaves and parts belong to the queries. exclude gives a row number to leave out for each query, or -1; keep is a
        mask of the points that may be found. Where there are fewer, row numbers are -1 and shares infinite.
        """
        n_queries = len(leaves)
        exclude = np.full(n_queries, -1) if exclude is None else np.asarray(exclude, dtype=np.int64)
        keep = np.ones(len(self.parts), dtype=np.bool_) if keep is None else keep
        units, weight_of_same, weight_of_other = self._units(bool(n_queries) and bool((parts == NEW_ROW).all()))
        apart, rows = np.full((n_queries, k), np.inf), np.full((n_queries, k), -1, np.int32)

        def search_block(block):
            _search(
                leaves[block], parts[block].astype(np.int64), exclude[block], self.starts, self.members, self.parts,
                keep, units, weight_of_same, weight_of_other, apart[block], rows[block],
            )  # fmt: skip

        run_blocks(search_block, row_blocks(n_queries, QUERIES_PER_BLOCK), n_jobs)
        return apart, rows

    def _units(self, new):
        """Return what shares are counted in, and what a shared leaf counts for rows of the query's part and of others.

        Points of the query's own part are compared by the trees of all other parts, other points by one part's less.
        New rows are compared with every point by the trees of all parts but the point's. Shares of a different number
        of trees become whole numbers of one unit, so that equal shares are equal.
        """
        others, trees = self.n_parts - 1, self.trees_per_part
        if new or others == 0:
            return max(1, others * trees), 1, 1
        if others == 1:
            return trees, 1, 0
        return others * (others - 1) * trees, others - 1, others


def _members(leaves, n_leaves):
    """Return where each leaf's rows start, and the rows of all leaves one after the other."""
    rows, trees = np.nonzero(leaves != NO_LEAF)
    codes = leaves[rows, trees]
    order = np.argsort(codes, kind="stable")  # rows ascending within a leaf
    starts = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=n_leaves))])
    return starts, rows[order].astype(np.int32)


@compiled()
def _search(
    leaves, query_parts, exclude, starts, members, parts, keep, units, weight_of_same, weight_of_other, apart, rows
):
    n_points, k = len(parts), apart.shape[1]
    shared = np.zeros(n_points, np.int64)
    seen = np.empty(n_points, np.int64)
    tally = np.zeros(units + 1, np.int64)
    for query in range(len(leaves)):
        n_seen = _count_shared(leaves[query], starts, members, shared, seen)
        part, left_out = query_parts[query], exclude[query]
        n_found = 0
        for place in range(n_seen):
            row = seen[place]
            weight = weight_of_same if part == NEW_ROW or parts[row] == part else weight_of_other
            score = shared[row] * weight
            if not keep[row] or row == left_out or score == 0:
                shared[row] = 0
                continue
            shared[row] = score
            tally[score] += 1
            seen[n_found] = row
            n_found += 1
        least, wanted = units, 0  # the score of the k-th
        while least > 0 and wanted + tally[least] < k:
            wanted += tally[least]
            least -= 1
        least = max(least, 1)
        keys = np.empty(n_found, np.int64)
        n_keys = 0
        for place in range(n_found):
            row = seen[place]
            if shared[row] >= least:
                keys[n_keys] = (units - shared[row]) * n_points + row
                n_keys += 1
            tally[shared[row]] = 0
        keys = np.sort(keys[:n_keys])
        filled = min(k, n_keys)
        for place in range(filled):
            rows[query, place] = keys[place] % n_points
            apart[query, place] = (keys[place] // n_points) / units
        row = 0
        while filled < k and row < n_points:  # rows that share no leaf, by their number
            eligible = part == NEW_ROW or parts[row] == part or weight_of_other > 0
            if shared[row] == 0 and keep[row] and row != left_out and eligible:
                rows[query, filled], apart[query, filled] = row, 1.0
                filled += 1
            row += 1
        for place in range(n_found):
            shared[seen[place]] = 0


@compiled()
def _count_shared(leaves, starts, members, shared, seen):
    """Count in how many leaves each point lies with the query, and list the points with any."""
    n_seen = 0
    for leaf in leaves:
        if leaf == NO_LEAF:
            continue
        for place in range(starts[leaf], starts[leaf + 1]):
            row = members[place]
            if shared[row] == 0:
                seen[n_seen] = row
                n_seen += 1
            shared[row] += 1
    return n_seen
