"""The compiled loop that counts votes for all folds at once."""

import numpy as np

from unflip.compiled import compiled

NOBODY = -1


@compiled()
def count_votes(indices, labels, folds, counts, votes, found):
    """Fill in the votes, and how many neighbors each row has outside of each fold, up to the largest count."""
    n_folds, n_rows, n_counts, n_classes = votes.shape
    near_folds, near_labels = np.empty(indices.shape[1], np.int64), np.empty(indices.shape[1], np.int64)
    running = np.empty(n_classes, np.int32)
    for row in range(n_rows):
        n_near = 0
        while n_near < indices.shape[1] and indices[row, n_near] != NOBODY:
            near_folds[n_near], near_labels[n_near] = folds[indices[row, n_near]], labels[indices[row, n_near]]
            n_near += 1
        for fold in range(n_folds):
            running[:] = 0
            seen, position = 0, 0
            for place in range(n_near):
                if near_folds[place] == fold:
                    continue
                running[near_labels[place]] += 1
                seen += 1
                if seen == counts[position]:
                    for c in range(n_classes):
                        votes[fold, row, position, c] = running[c]
                    position += 1
                    if position == n_counts:
                        break
            found[row, fold] = seen
