"""The paper's bounds against simulated errors on its synthetic distribution, as the sample grows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from unflip.datasets import make_sine_product
from unflip.experiments.figures.paper_figures import exact_limit, legend_beside
from unflip.foundation.optional import optional
from unflip.neighbors import ExactIndex
from unflip.noise.flipping import make_label_noise
from unflip.noise.transition import NoiseModel
from unflip.theory import SineProduct, knn_bound, one_nn_bounds, robust_knn_bound, symmetric_knn_bound
from unflip.voting.decision import decide
from unflip.voting.votes import prefix_votes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZES = (250, 1000, 4000, 16_000, 64_000)
BOUND_SIZES = tuple(10**power for power in range(2, 16))  # at which the bounds are drawn
N_TEST = 4000
TITLES = {
    "Theorem 1": "kNN, any flip rates",
    "Theorem 2": "kNN, equal flip rates",
    "Theorem 3": "1-NN, equal flip rates",
    "Theorem 5": "RkNN with known rates",
}
PROBLEM: dict[str, Any] = {
    "d": SineProduct.dimension,
    "lipschitz": SineProduct.lipschitz,
    "bayes_error": SineProduct.bayes_error,
}


@dataclass(frozen=True)
class Claim:
    """A theorem about one method, at given flip rates.

    Parameters
    ----------
    theorem : {"Theorem 1", "Theorem 2", "Theorem 3", "Theorem 5"}
        The theorem.
    method : {"kNN", "1-NN", "RkNN"}
        The method it bounds.
    tau_plus : float
        Flip rate of positive labels.
    tau_minus : float
        Flip rate of negative labels.
    """

    theorem: str
    method: str
    tau_plus: float
    tau_minus: float

    def n_neighbors(self, n: int) -> int:
        """Return the k at which the bounds' terms, sqrt(1 / k) and (k / n)^(1 / 3), shrink together.

        Parameters
        ----------
        n : int
            Number of training rows.

        Returns
        -------
        k : int
            At least 8, as Theorem 2 requires; 1 for Theorem 3.
        """
        return 1 if self.method == "1-NN" else max(8, ceil(n ** (2 / (SineProduct.dimension + 3)) - 1e-9))

    def bounds(self, n: int) -> tuple[float, float]:
        """Return the bounds of the excess error.

        Parameters
        ----------
        n : int
            Number of training rows.

        Returns
        -------
        lower : float
            Lower bound of the error minus the Bayes error.
        upper : float
            Upper bound of the error minus the Bayes error.
        """
        lower, upper = self._bounds_of_error(n)
        return lower - SineProduct.bayes_error, upper - SineProduct.bayes_error

    def limit(self) -> float:
        """Return the exact limit of the excess error.

        Returns
        -------
        limit : float
            As the number of training rows grows.
        """
        return exact_limit(self.method, self.tau_plus, self.tau_minus) - SineProduct.bayes_error

    def _bounds_of_error(self, n: int) -> tuple[float, float]:
        if self.method == "1-NN":
            return one_nn_bounds(n, **PROBLEM, tau=self.tau_plus)
        k, best = self.n_neighbors(n), SineProduct.bayes_error
        if self.theorem == "Theorem 2":
            return best, symmetric_knn_bound(n, k=k, **PROBLEM, tau=self.tau_plus)
        robust = self.method == "RkNN"
        rates = {"tau_plus": self.tau_plus, "tau_minus": self.tau_minus}
        bound: Callable[..., float] = robust_knn_bound if robust else knn_bound
        return best, bound(n, k=k, **PROBLEM, **rates, region_mass=lambda margin: self._mass(margin, robust))

    def _mass(self, margin: float, robust: bool) -> float:
        return min(1.0, SineProduct.hard_mass(self.tau_plus, self.tau_minus, margin=margin, robust=robust))


CLAIMS = (
    *(Claim("Theorem 1", "kNN", *rates) for rates in ((0.1, 0.2), (0.3, 0.1))),
    *(Claim("Theorem 2", "kNN", tau, tau) for tau in (0.0, 0.2)),
    *(Claim("Theorem 3", "1-NN", tau, tau) for tau in (0.1, 0.3)),
    *(Claim("Theorem 5", "RkNN", *rates) for rates in ((0.1, 0.2), (0.3, 0.1))),
)


def simulated_excess(
    claims: Sequence[Claim] = CLAIMS,
    *,
    sizes: Iterable[int] = SIZES,
    samples: Iterable[int] = range(10),
    n_test: int = N_TEST,
) -> pd.DataFrame:
    """Simulate excess errors, beside their bounds.

    Points, labels and flips are drawn anew for each sample. RkNN knows the rates, as Theorem 5 assumes.

    Parameters
    ----------
    claims : sequence of Claim, default=CLAIMS
        The claims to simulate.
    sizes : iterable of int, default=SIZES
        Numbers of training rows.
    samples : iterable of int, default=range(10)
        Seeds of the samples of each size.
    n_test : int, default=4000
        Number of test points. Given the prediction, the error at each is known exactly.

    Returns
    -------
    numbers : DataFrame
        One row per claim and size: the mean excess, its standard error, its bounds, whether the upper bound is vacuous
        (it allows an error above 1), and the exact limit.
    """
    samples = list(samples)
    rows = []
    for n in sizes:
        found = np.array([list(_excess_of_one_sample(claims, n, seed, n_test)) for seed in samples])
        errors = found.std(axis=0, ddof=1) / np.sqrt(len(found))
        for claim, mean, error in zip(claims, found.mean(axis=0), errors, strict=True):
            lower, upper = claim.bounds(n)
            rows.append({
                "theorem": claim.theorem, "method": claim.method, "tau_plus": claim.tau_plus,
                "tau_minus": claim.tau_minus, "n": n, "k": claim.n_neighbors(n), "excess": mean,
                "standard_error": error, "samples": len(found), "lower_bound": lower, "upper_bound": upper,
                "vacuous": "yes" if is_vacuous(upper) else "no", "limit": claim.limit(),
            })  # fmt: skip
    return pd.DataFrame(rows)


def is_vacuous(upper: float) -> bool:
    """Tell whether an upper bound of the excess error allows an error above 1.

    Parameters
    ----------
    upper : float
        The bound.

    Returns
    -------
    vacuous : bool
        True if the bound plus the Bayes error is at least 1.
    """
    return upper + SineProduct.bayes_error >= 1


def _excess_of_one_sample(claims: Sequence[Claim], n: int, seed: int, n_test: int) -> Iterator[float]:
    """Yield the excess error of each claim's method, trained on one sample."""
    random = np.random.RandomState([n, seed])
    X, y = make_sine_product(n, random_state=random)
    points, _ = make_sine_product(n_test, random_state=random)
    eta = SineProduct.eta(points)
    max_k = max(claim.n_neighbors(n) for claim in claims)
    graph = ExactIndex(n_jobs=-1).fit(X).query(points, max_k)
    for claim in claims:
        true_matrix = NoiseModel.of([claim.tau_minus, claim.tau_plus], [0, 1]).transition_matrix
        labels = make_label_noise(y, true_matrix, random_state=random)
        votes = prefix_votes(graph, labels, 2, [claim.n_neighbors(n)])[:, 0]
        predicted = decide(votes, true_matrix if claim.method == "RkNN" else np.eye(2))
        yield float(np.mean(np.abs(2 * eta - 1) * (predicted != (eta >= 0.5))))


def figure_of_bounds(numbers: pd.DataFrame, claims: Sequence[Claim] = CLAIMS) -> Figure:
    """Draw one panel per theorem: simulated excess errors with error bars, their bounds and exact limits.

    Parameters
    ----------
    numbers : DataFrame
        As returned by `simulated_excess`.
    claims : sequence of Claim, default=CLAIMS
        The claims it simulates.

    Returns
    -------
    figure : matplotlib Figure
        Not attached to a window.
    """
    theorems = list(dict.fromkeys(claim.theorem for claim in claims))
    figure = optional("matplotlib.figure", "plot", "figure_of_bounds").Figure(figsize=(12, 7.6), layout="constrained")
    axes = figure.subplots(2, 2, sharex=True, sharey=True)
    for ax, theorem in zip(axes.flat, theorems, strict=True):
        for number, claim in enumerate(claim for claim in claims if claim.theorem == theorem):
            _draw_claim(ax, claim, numbers, f"C{number}")
        ax.axhspan(1 - SineProduct.bayes_error, 60, color="0.92", zorder=0)
        ax.text(1.3e15, 40, "vacuous: the bound allows an error above 1", ha="right", va="top", fontsize="x-small")
        ax.set(title=f"{theorem}: {TITLES[theorem]}", xscale="log", yscale="log", ylim=(1e-3, 60))
        legend_beside(ax, *ax.get_legend_handles_labels(), size="x-small")
    figure.supxlabel("training rows n; k = ⌈n$^{2/5}$⌉, at least 8 (Theorem 3: k = 1)", fontsize="medium")
    figure.supylabel("excess error on clean labels", fontsize="medium")
    return figure


def _draw_claim(ax: Axes, claim: Claim, numbers: pd.DataFrame, color: str) -> None:
    columns = ["theorem", "tau_plus", "tau_minus"]
    rows = numbers[(numbers[columns] == [getattr(claim, name) for name in columns]).all(axis=1)]
    name = f"({claim.tau_plus:g}, {claim.tau_minus:g})"
    ax.errorbar(
        rows["n"], rows["excess"], 2 * rows["standard_error"], fmt="o", markersize=4, capsize=2, color=color,
        label=f"{name} simulated, ± 2 s.e.",
    )  # fmt: skip
    lower, upper = np.transpose([claim.bounds(n) for n in BOUND_SIZES])
    ax.plot(BOUND_SIZES, upper, color=color, label=f"{name} bound")
    if claim.method == "1-NN":
        positive = np.where(lower > 0, lower, np.nan)
        ax.plot(BOUND_SIZES, positive, color=color, linestyle="dashed", label=f"{name} lower bound")
    if claim.limit() > 0:
        ax.axhline(claim.limit(), color=color, linestyle="dotted", label=f"{name} exact limit")
