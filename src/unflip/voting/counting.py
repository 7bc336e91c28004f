"""The compiled loop that counts votes for all folds at once."""

import numpy as np

from unflip.foundation.compiled import compiled
from unflip.neighbors.graph import NOBODY


@compiled()
def count_votes(indices, labels, folds, k_values, votes, found):
    """Fill in the votes, and how many neighbors each row has outside of each fold, up to the largest k."""
    n_folds, n_rows, n_values, n_classes = votes.shape
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
                if seen == k_values[position]:
                    for c in range(n_classes):
                        votes[fold, row, position, c] = running[c]
                    position += 1
                    if position == n_values:
                        break
            found[row, fold] = seen
