"""The numbers behind Figures 1 to 4, with the exact limits and those the paper's theorems state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from unflip.classifier.selection import K_VALUES
from unflip.experiments.figures import paper_figures
from unflip.experiments.figures.bound_figure import PROBLEM
from unflip.theory import SineProduct, one_nn_bounds

if TYPE_CHECKING:
    from unflip.experiments.figures.paper_figures import Influence


def stated_limits(method: str, tau_plus: float, tau_minus: float) -> tuple[float, float]:
    """Return the range in which the paper places the limit of a method's error on the synthetic distribution.

    For kNN, Theorem 1 states R* + Pr[A_0], or R* if the rates are equal. For 1-NN, Theorem 3 has a lower and an upper
    bound. For RkNN, Theorem 4 states R*.

    Parameters
    ----------
    method : {"kNN", "RkNN", "1-NN"}
        The method.
    tau_plus : float
        Flip rate of positive labels.
    tau_minus : float
        Flip rate of negative labels.

    Returns
    -------
    low : float
        Lower end.
    high : float
        Upper end.
    """
    best = SineProduct.bayes_error
    if method == "1-NN":
        return one_nn_bounds(np.inf, **PROBLEM, tau=tau_plus)
    return best, best + (SineProduct.misled_mass(tau_plus, tau_minus) if method == "kNN" else 0.0)


def numbers_of_figure_1(errors: paper_figures.SyntheticErrors) -> pd.DataFrame:
    """Return one row per point of Figure 1.

    Parameters
    ----------
    errors : SyntheticErrors
        As returned by `synthetic_errors`.

    Returns
    -------
    numbers : DataFrame
        Panel, method, rates, k or number of training rows, mean and standard deviation of the error over flips, the
        exact limit and the stated ones, the Bayes error, and the error of the Bayes rule on the test rows.
    """
    rows = []
    for title, method, noises in paper_figures.PANELS:
        x_values = paper_figures.SIZES if method == "1-NN" else paper_figures.SYNTHETIC_K_VALUES
        for tau_plus, tau_minus in noises:
            values = errors.by_method[method, tau_plus, tau_minus]
            low, high = stated_limits(method, tau_plus, tau_minus)
            for column, x in enumerate(x_values):
                rows.append({
                    "panel": title[1], "method": method, "tau_plus": tau_plus, "tau_minus": tau_minus,
                    "varied": "training rows" if method == "1-NN" else "k", "at": x,
                    "error": values[:, column].mean(), "std": values[:, column].std(), "seeds": len(values),
                    "limit": paper_figures.exact_limit(method, tau_plus, tau_minus), "limit_in_paper_low": low,
                    "limit_in_paper_high": high, "best_possible": SineProduct.bayes_error,
                    "best_rule_on_test_rows": errors.bayes_rule,
                })  # fmt: skip
    return pd.DataFrame(rows)


def numbers_of_influence(found: Mapping[str, Influence | None], which: str) -> pd.DataFrame:
    """Return one row per point of Figure 2 ("k"), 3 ("noise_k") or 4 ("size").

    Parameters
    ----------
    found : dict of str to dict or None
        For each data set the result of `influence`, or None if the data are not available.
    which : {"k", "noise_k", "size"}
        What varies.

    Returns
    -------
    numbers : DataFrame
        Data set, rates, what varies, mean and standard deviation of the accuracy over splits. The paper prints no
        numbers for these figures.
    """
    x_values = paper_figures.TENTHS if which == "size" else K_VALUES
    rows = []
    for data, accuracies in found.items():
        for (tau_plus, tau_minus), values in (accuracies or {which: {}})[which].items():
            for column, x in enumerate(x_values):
                rows.append({
                    "data": data, "tau_plus": tau_plus, "tau_minus": tau_minus, "varied": which, "at": x,
                    "accuracy": values[:, column].mean(), "std": values[:, column].std(), "splits": len(values),
                })  # fmt: skip
    return pd.DataFrame(rows)
