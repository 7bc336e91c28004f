"""Two sorted answers to the same queries merged into one, compiled: the first has the smaller row numbers."""

import numpy as np

from unflip.foundation.compiled import compiled


@compiled()
def merge_two(scores, rows, other_scores, other_rows, k):
    """Return the k nearest of two answers, sorted by (score, row number); a score of NaN is nobody's."""
    out_scores, out_rows = np.full((len(scores), k), np.nan), np.full((len(scores), k), np.int32(-1))
    for query in range(len(scores)):
        one = other = 0
        for place in range(k):
            has_one = one < scores.shape[1] and not np.isnan(scores[query, one])
            has_other = other < other_scores.shape[1] and not np.isnan(other_scores[query, other])
            if has_one and (not has_other or scores[query, one] <= other_scores[query, other]):
                out_scores[query, place], out_rows[query, place] = scores[query, one], rows[query, one]
                one += 1
            elif has_other:
                out_scores[query, place], out_rows[query, place] = other_scores[query, other], other_rows[query, other]
                other += 1
            else:
                break
    return out_scores, out_rows
