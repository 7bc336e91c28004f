"""The paper's bounds against simulated errors on its synthetic distribution, as the sample grows."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
import pandas as pd

from unflip.datasets import make_sine_product
from unflip.experiments.figures.paper_figures import legend_beside
from unflip.foundation.optional import optional
from unflip.neighbors import ExactIndex
from unflip.noise.flipping import make_label_noise
from unflip.noise.transition import NoiseModel
from unflip.theory import SineProduct, knn_bound, one_nn_bounds, robust_knn_bound, symmetric_knn_bound
from unflip.voting.decision import decide
from unflip.voting.votes import prefix_votes

SIZES = (250, 1000, 4000, 16_000, 64_000)
FAR_SIZES = tuple(10**power for power in range(2, 16))  # of the lines of the bounds
N_TEST = 4000
PROBLEM = {"d": SineProduct.dimension, "lipschitz": SineProduct.lipschitz, "bayes_error": SineProduct.bayes_error}


@dataclass(frozen=True)
class Claim:
    """A theorem at two rates: which method it is about."""

    theorem: str
    method: str
    tau_plus: float
    tau_minus: float

    def neighbors(self, n):
        """Return k, growing as sqrt(1 / k) and (k / n)^(1 / 3), the bounds' terms, fall together; 1 for Theorem 3."""
        return 1 if self.method == "1-NN" else max(8, ceil(n ** (2 / (SineProduct.dimension + 3)) - 1e-9))

    def bounds(self, n):
        """Return the lower and the upper bound of the error above the best possible."""
        lower, upper = self._bounds_of_error(n)
        return lower - SineProduct.bayes_error, upper - SineProduct.bayes_error

    def limit(self):
        """Return what the error above the best possible tends to, exactly."""
        rates = self.tau_plus, self.tau_minus
        if self.method == "1-NN":
            return SineProduct.one_nn_limit(*rates) - SineProduct.bayes_error
        return SineProduct.knn_limit(*rates) - SineProduct.bayes_error if self.method == "kNN" else 0.0

    def _bounds_of_error(self, n):
        if self.method == "1-NN":
            return one_nn_bounds(n, **PROBLEM, tau=self.tau_plus)
        k, best = self.neighbors(n), SineProduct.bayes_error
        if self.theorem == "Theorem 2":
            return best, symmetric_knn_bound(n, k=k, **PROBLEM, tau=self.tau_plus)
        robust = self.method == "RkNN"
        rates = {"tau_plus": self.tau_plus, "tau_minus": self.tau_minus}
        bound = robust_knn_bound if robust else knn_bound
        return best, bound(n, k=k, **PROBLEM, **rates, region_mass=lambda margin: self._mass(margin, robust))

    def _mass(self, margin, robust):
        return min(1.0, SineProduct.hard_mass(self.tau_plus, self.tau_minus, margin=margin, robust=robust))


CLAIMS = (
    *(Claim("Theorem 1", "kNN", *rates) for rates in ((0.1, 0.2), (0.3, 0.1))),
    *(Claim("Theorem 2", "kNN", tau, tau) for tau in (0.0, 0.2)),
    *(Claim("Theorem 3", "1-NN", tau, tau) for tau in (0.1, 0.3)),
    *(Claim("Theorem 5", "RkNN", *rates) for rates in ((0.1, 0.2), (0.3, 0.1))),
)


def simulated_excess(claims=CLAIMS, *, sizes=SIZES, samples=range(10), n_test=N_TEST):
    """Return simulated errors above the best possible, beside the bounds.

    Points, labels and flips are drawn anew for each sample. RkNN is told the rates, as Theorem 5 has it.

    Parameters
    ----------
    claims : sequence of Claim
        What is bounded.
    sizes : sequence of int
        Of samples.
    samples : sequence of int, default=range(10)
        Seeds of the samples of each size.
    n_test : int, default=4000
        Points at which the error is known exactly, given the prediction.

    Returns
    -------
    numbers : DataFrame
        A row for each claim and size: the mean excess, its standard error, the bounds of the excess, whether the upper
        one is vacuous (it would let the error exceed 1), and the exact limit.
    """
    rows = []
    for n in sizes:
        found = np.array([list(_excess_of_one_sample(claims, n, seed, n_test)) for seed in samples])
        errors = found.std(axis=0, ddof=1) / np.sqrt(len(found))
        for claim, mean, error in zip(claims, found.mean(axis=0), errors, strict=True):
            lower, upper = claim.bounds(n)
            rows.append({
                "theorem": claim.theorem, "method": claim.method, "tau_plus": claim.tau_plus,
                "tau_minus": claim.tau_minus, "n": n, "k": claim.neighbors(n), "excess": mean, "standard_error": error,
                "samples": len(found), "lower_bound": lower, "upper_bound": upper,
                "vacuous": "yes" if is_vacuous(upper) else "no", "limit": claim.limit(),
            })  # fmt: skip
    return pd.DataFrame(rows)


def is_vacuous(upper):
    """Tell whether a bound of the excess allows an error above 1."""
    return upper + SineProduct.bayes_error >= 1


def _excess_of_one_sample(claims, n, seed, n_test):
    """Yield the expected clean error above the best possible of each claim's method, learned from one sample."""
    random = np.random.RandomState([n, seed])
    X, y = make_sine_product(n, random_state=random)
    points, _ = make_sine_product(n_test, random_state=random)
    eta = SineProduct.eta(points)
    counts = sorted({claim.neighbors(n) for claim in claims})
    near = ExactIndex(n_jobs=-1).fit(X).query(points, max(counts))
    for claim in claims:
        rates = NoiseModel.of([claim.tau_minus, claim.tau_plus], [0, 1]).transition_matrix
        k = claim.neighbors(n)
        votes = prefix_votes(near, make_label_noise(y, rates, random_state=random), 2, [k])[:, 0]
        predicted = decide(votes, rates if claim.method == "RkNN" else np.eye(2))
        yield float(np.mean(np.abs(2 * eta - 1) * (predicted != (eta >= 0.5))))


def figure_of_bounds(numbers, claims=CLAIMS):
    """Draw a panel for each theorem: simulated excess error with error bars, the bound, and the exact limit.

    Parameters
    ----------
    numbers : DataFrame
        As `simulated_excess` gives it.
    claims : sequence of Claim
        Those of the numbers.
    """
    theorems = list(dict.fromkeys(claim.theorem for claim in claims))
    figure = optional("matplotlib.figure", "plot", "figure_of_bounds").Figure(figsize=(12, 7.6), layout="constrained")
    axes = figure.subplots(2, 2, sharex=True, sharey=True)
    for axis, theorem in zip(axes.flat, theorems, strict=True):
        of_theorem = [claim for claim in claims if claim.theorem == theorem]
        for number, claim in enumerate(of_theorem):
            _draw_claim(axis, claim, numbers, f"C{number}")
        axis.axhspan(1 - SineProduct.bayes_error, 60, color="0.92", zorder=0)
        axis.text(
            1.3e15, 40, "says nothing: the bound allows an error above 1", ha="right", va="top", fontsize="x-small"
        )
        axis.set(title=f"{theorem}: {TITLES[theorem]}", xscale="log", yscale="log", ylim=(1e-3, 60))
        legend_beside(axis, *axis.get_legend_handles_labels(), size="x-small")
    figure.supxlabel("training rows n; k = ⌈n$^{2/5}$⌉, at least 8 (Theorem 3: k = 1)", fontsize="medium")
    figure.supylabel("clean error above the best possible", fontsize="medium")
    return figure


TITLES = {
    "Theorem 1": "kNN, any flip rates",
    "Theorem 2": "kNN, one flip rate",
    "Theorem 3": "1-NN, one flip rate",
    "Theorem 5": "RkNN told the rates",
}


def _draw_claim(axis, claim, numbers, color):
    mine = (numbers["theorem"] == claim.theorem) & (numbers["tau_plus"] == claim.tau_plus)
    part = numbers[mine & (numbers["tau_minus"] == claim.tau_minus)]
    name = f"({claim.tau_plus:g}, {claim.tau_minus:g})"
    axis.errorbar(
        part["n"], part["excess"], 2 * part["standard_error"], fmt="o", markersize=4, capsize=2, color=color,
        label=f"{name} simulated, ± 2 s.e.",
    )  # fmt: skip
    lower, upper = np.transpose([claim.bounds(n) for n in FAR_SIZES])
    axis.plot(FAR_SIZES, upper, color=color, label=f"{name} bound")
    if claim.method == "1-NN":
        axis.plot(
            FAR_SIZES, np.where(lower > 0, lower, np.nan), color=color, linestyle="dashed", label=f"{name} lower bound"
        )
    if claim.limit() > 0:
        axis.axhline(claim.limit(), color=color, linestyle="dotted", label=f"{name} exact limit")
