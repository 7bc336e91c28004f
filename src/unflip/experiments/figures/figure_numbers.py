"""The numbers behind Figures 1 to 4 as tables, with the exact limits and those that the paper's theorems state."""

from __future__ import annotations

import numpy as np
import pandas as pd

from unflip.classifier.selection import K_VALUES
from unflip.experiments.figures.paper_figures import NEIGHBORS, PANELS, SIZES, TENTHS, exact_limit
from unflip.theory import SineProduct, one_nn_bounds


def stated_limits(method, tau_plus, tau_minus):
    """Return what the paper says the error tends to on the synthetic distribution, from where to where.

    Theorem 1 has R* + Pr[A_0] for kNN (R* where the rates are equal), Theorem 3 two sides for 1-NN, Theorem 4 R* for
    RkNN.
    """
    best = SineProduct.bayes_error
    if method == "1-NN":
        problem = {"d": SineProduct.dimension, "lipschitz": SineProduct.lipschitz, "bayes_error": best}
        return one_nn_bounds(np.inf, **problem, tau=tau_plus)
    return best, best + (SineProduct.misled_mass(tau_plus, tau_minus) if method == "kNN" else 0.0)


def numbers_of_figure_1(errors):
    """Return a row for each point of Figure 1.

    Parameters
    ----------
    errors : dict
        As `synthetic_errors` gives them.

    Returns
    -------
    numbers : DataFrame
        Panel, method, rates, k or training rows, mean and standard deviation of the error over flips, the exact limit
        and the limits that the paper states, the best possible error, and that on the test rows.
    """
    rows = []
    for title, method, noises in PANELS:
        across = SIZES if method == "1-NN" else NEIGHBORS
        for tau_plus, tau_minus in noises:
            values = errors[method, tau_plus, tau_minus]
            low, high = stated_limits(method, tau_plus, tau_minus)
            for column, at in enumerate(across):
                rows.append({
                    "panel": title[1], "method": method, "tau_plus": tau_plus, "tau_minus": tau_minus,
                    "varied": "training rows" if method == "1-NN" else "k", "at": at,
                    "error": values[:, column].mean(), "std": values[:, column].std(), "seeds": len(values),
                    "limit": exact_limit(method, tau_plus, tau_minus), "limit_in_paper_low": low,
                    "limit_in_paper_high": high, "best_possible": SineProduct.bayes_error,
                    "best_rule_on_test_rows": errors["best rule"],
                })  # fmt: skip
    return pd.DataFrame(rows)


def numbers_of_influence(found, which):
    """Return a row for each point of Figure 2 ("k"), 3 ("noise_k") or 4 ("size").

    Parameters
    ----------
    found : dict
        {data set: as `influence` gives it, or None where the data are not available}.
    which : {"k", "noise_k", "size"}
        What is varied.

    Returns
    -------
    numbers : DataFrame
        Data set, rates, what is varied, mean and standard deviation of the accuracy over splits. The paper prints no
        numbers of these figures.
    """
    across = TENTHS if which == "size" else K_VALUES
    rows = []
    for data, by_question in found.items():
        for (tau_plus, tau_minus), values in (by_question or {which: {}})[which].items():
            for column, at in enumerate(across):
                rows.append({
                    "data": data, "tau_plus": tau_plus, "tau_minus": tau_minus, "varied": which, "at": at,
                    "accuracy": values[:, column].mean(), "std": values[:, column].std(), "splits": len(values),
                })  # fmt: skip
    return pd.DataFrame(rows)
