"""Figures 1 to 4 of the paper: convergence on the synthetic distribution; influence of k, k' and the sample size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unflip.classifier.selection import K_VALUES
from unflip.datasets import make_sine_product
from unflip.experiments.plan.jobs import NOISES
from unflip.experiments.statistics.comparison import NOT_AVAILABLE
from unflip.foundation.optional import optional
from unflip.neighbors import ExactIndex, NeighborGraph, SubsetIndex
from unflip.noise.flipping import make_label_noise
from unflip.noise.transition import NoiseModel
from unflip.noise_rates import Extremes
from unflip.theory import SineProduct
from unflip.voting.decision import decide
from unflip.voting.votes import prefix_votes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    Noise = tuple[float, float]
    Influence = dict[str, dict[Noise, np.ndarray]]

ASYMMETRIC = ((0.1, 0.2), (0.3, 0.1))
SYMMETRIC = tuple((tau, tau) for tau in (0.1, 0.2, 0.3, 0.4))
SYNTHETIC_K_VALUES = (5, 10, 20, 50, 100, 200, 400, 800)  # panels (a), (b) and (d)
SIZES = (500, 1000, 2000, 4000, 8000)  # panel (c)
N_TRAIN, N_TEST = 8000, 7000
INFLUENCE_DATA = ("segment", "landsat", "pendigits", "magic04")
FIXED_K = 50
GRAPH_NEIGHBORS = 200
RATES_LABEL = r"($\tau_+$, $\tau_-$)"
TENTHS = tuple(tenth / 10 for tenth in range(1, 11))
PANELS = (
    ("(a) kNN, asymmetric noise", "kNN", ASYMMETRIC),
    ("(b) kNN, symmetric noise", "kNN", SYMMETRIC),
    ("(c) 1-NN, symmetric noise", "1-NN", SYMMETRIC),
    ("(d) RkNN, asymmetric noise", "RkNN", ASYMMETRIC),
)
INFLUENCE_LABELS = {"k": "k", "noise_k": "k'", "size": "fraction of the training rows"}


@dataclass(frozen=True, eq=False)
class SyntheticErrors:
    """The errors behind Figure 1.

    Parameters
    ----------
    by_method : dict of tuple to ndarray of shape (n_seeds, n_values)
        Errors of "kNN", "RkNN" and "1-NN" by (method, tau_plus, tau_minus).
    bayes_rule : float
        Error of the Bayes rule on the same test rows; by chance it differs from the Bayes error.
    """

    by_method: dict[tuple[str, float, float], np.ndarray]
    bayes_rule: float


def synthetic_errors(seeds: Iterable[int] = range(20), n_train: int = N_TRAIN, n_test: int = N_TEST) -> SyntheticErrors:
    """Simulate Figure 1: errors of kNN and RkNN (k' = 50) against k, and of 1-NN against n.

    As in the paper, the points are the same for all seeds, and the flips are not.

    Parameters
    ----------
    seeds : iterable of int, default=range(20)
        Seeds of the flips.
    n_train : int, default=8000
        Number of training rows.
    n_test : int, default=7000
        Number of test rows.

    Returns
    -------
    errors : SyntheticErrors
        On clean labels.
    """
    X, y = make_sine_product(n_train + n_test, random_state=0)
    train, test = np.arange(n_train), np.arange(n_train, len(X))
    index = ExactIndex(n_jobs=-1).fit(X[train])
    graph, test_graph = index.graph(FIXED_K), index.query(X[test], max(SYNTHETIC_K_VALUES))
    nearest = [ExactIndex(n_jobs=-1).fit(X[:size]).query(X[test], 1).indices[:, 0] for size in SIZES]
    seeds = list(seeds)
    by_method: dict[tuple[str, float, float], np.ndarray] = {}
    for noise in (*ASYMMETRIC, *SYMMETRIC):
        rows: dict[str, list] = {"kNN": [], "RkNN": [], "1-NN": []}
        for seed in seeds:
            labels = make_label_noise(y[train], noise[::-1], random_state=seed)
            votes = prefix_votes(test_graph, labels, 2, SYNTHETIC_K_VALUES)
            for method, matrix in (("kNN", np.eye(2)), ("RkNN", Extremes(FIXED_K).estimate(graph, labels))):
                rows[method].append((decide(votes, matrix) != y[test][:, None]).mean(axis=0))
            rows["1-NN"].append([np.mean(labels[neighbor] != y[test]) for neighbor in nearest])
        by_method |= {(method, *noise): np.array(values) for method, values in rows.items()}
    return SyntheticErrors(by_method, float(np.mean((SineProduct.eta(X[test]) >= 0.5) != y[test])))


def figure_1(errors: SyntheticErrors) -> Figure:
    """Draw the four panels of Figure 1, with exact limits as dotted lines.

    Parameters
    ----------
    errors : SyntheticErrors
        As returned by `synthetic_errors`.

    Returns
    -------
    figure : matplotlib Figure
        Not attached to a window.
    """
    figure = optional("matplotlib.figure", "plot", "figure_1").Figure(figsize=(10, 7), layout="constrained")
    for ax, (title, method, noises) in zip(figure.subplots(2, 2).flat, PANELS, strict=True):
        x_values = SIZES if method == "1-NN" else SYNTHETIC_K_VALUES
        for number, noise in enumerate(noises):
            _draw_errors(ax, x_values, errors.by_method[method, *noise], exact_limit(method, *noise), noise, number)
        ax.plot([], [], color="0.3", linestyle="dotted", label="limit, n → ∞")
        ax.axhline(SineProduct.bayes_error, color="0.3", linewidth=1, label="Bayes error")
        bayes_rule = {"linestyle": "dashed", "label": "Bayes rule on\nthese test rows"}
        ax.axhline(errors.bayes_rule, color="0.6", linewidth=1, **bayes_rule)
        ax.set_xscale("log")
        ax.set_xticks(x_values, [f"{value:,}" for value in x_values])
        ax.minorticks_off()
        ax.set(title=title, xlabel="training rows" if method == "1-NN" else "k", ylabel="error on clean labels")
        legend_beside(ax, *_rates_first(*ax.get_legend_handles_labels()), size="small")
    return figure


def _draw_errors(
    ax: Axes, x_values: tuple[int, ...], errors: np.ndarray, limit: float, noise: Noise, number: int
) -> None:
    style: dict[str, Any] = {"fmt": ".-", "capsize": 2, "color": f"C{number}", "label": _noise_label(noise)}
    ax.errorbar(x_values, errors.mean(axis=0), errors.std(axis=0), **style)
    ax.axhline(limit, color=f"C{number}", linestyle="dotted")


def legend_beside(ax: Axes, handles: list, labels: list[str], *, size: str) -> None:
    """Put a legend of flip rates to the right of a panel, where it hides nothing.

    Parameters
    ----------
    ax : matplotlib Axes
        The panel.
    handles : list of matplotlib artists
        What the legend explains.
    labels : list of str
        Their labels.
    size : str
        Font size.
    """
    place: dict[str, Any] = {"loc": "center left", "bbox_to_anchor": (1, 0.5), "frameon": False}
    ax.legend(handles, labels, fontsize=size, title=RATES_LABEL, title_fontsize=size, **place)


def _rates_first(handles: list, labels: list[str]) -> tuple[list, list[str]]:
    in_order = sorted(zip(handles, labels, strict=True), key=lambda pair: not pair[1].startswith("("))
    return [handle for handle, _ in in_order], [label for _, label in in_order]


def _noise_label(noise: Noise) -> str:
    return f"({noise[0]:g}, {noise[1]:g})"


def exact_limit(method: str, tau_plus: float, tau_minus: float) -> float:
    """Return the limit of a method's error on the synthetic distribution.

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
    limit : float
        As the number of training rows grows.
    """
    if method == "1-NN":
        return SineProduct.one_nn_limit(tau_plus, tau_minus)
    return SineProduct.bayes_error if method == "RkNN" else SineProduct.knn_limit(tau_plus, tau_minus)


def influence(X: np.ndarray, y: np.ndarray, *, seeds: Iterable[int] = range(10)) -> Influence:
    """Simulate Figures 2 to 4 on one data set.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Scaled rows.
    y : ndarray of int
        Clean classes 0 and 1.
    seeds : iterable of int, default=range(10)
        Seeds of the splits and flips.

    Returns
    -------
    accuracies : dict
        "k": {noise: (n_seeds, 20)} with k' = 50 and "noise_k": {noise: (n_seeds, 20)} with k = 50, both over 5, 10,
        ..., 100; "size": {noise: (n_seeds, 10)} with k = k' = 50 over tenths of the training rows.
    """
    index = ExactIndex(n_jobs=-1).fit(X)
    graph = index.graph(min(GRAPH_NEIGHBORS, len(X) - 1))
    found: dict[str, dict[Noise, list]] = {name: {noise: [] for noise in NOISES} for name in INFLUENCE_LABELS}
    for seed in seeds:
        order = np.random.RandomState(seed).permutation(len(X))
        test, train = np.sort(order[: len(X) // 4]), np.sort(order[len(X) // 4 :])
        subset = SubsetIndex(graph, index, train)
        test_graph, train_graph = subset.of_others(test, max(K_VALUES)), subset.graph(max(K_VALUES))
        for noise in NOISES:
            true_matrix = NoiseModel.of(noise[::-1], [0, 1]).transition_matrix
            labels = make_label_noise(y[train], true_matrix, random_state=1000 + seed)
            by_k, by_noise_k = _accuracies_by_k(test_graph, train_graph, labels, y[test])
            found["k"][noise].append(by_k)
            found["noise_k"][noise].append(by_noise_k)
            found["size"][noise].append(list(_accuracies_by_size(graph, index, train, test, labels, y, seed)))
    return {name: {noise: np.array(rows) for noise, rows in by_noise.items()} for name, by_noise in found.items()}


def _accuracies_by_k(
    test_graph: NeighborGraph, train_graph: NeighborGraph, labels: np.ndarray, truth: np.ndarray
) -> tuple[np.ndarray, list]:
    """Return the accuracies for each k at the fixed k', and for each k' at the fixed k."""
    k_values = list(K_VALUES)
    fixed = k_values.index(FIXED_K)
    votes = prefix_votes(test_graph, labels, 2, k_values)
    matrices = Extremes.estimate_each(train_graph, labels, k_values, 2)
    correct = decide(votes, matrices[fixed]) == truth[:, None]
    return correct.mean(axis=0), [np.mean(decide(votes[:, fixed], matrix) == truth) for matrix in matrices]


def _accuracies_by_size(
    graph: NeighborGraph,
    index: ExactIndex,
    train: np.ndarray,
    test: np.ndarray,
    labels: np.ndarray,
    y: np.ndarray,
    seed: int,
) -> Iterator[float]:
    """Yield the accuracies of training on one tenth, two tenths, ... of the training rows."""
    order = np.random.RandomState(seed).permutation(len(train))
    for tenth in range(1, 11):
        kept = np.sort(order[: len(train) * tenth // 10])
        subset = SubsetIndex(graph, index, train[kept])
        k = min(FIXED_K, max(1, len(kept) // 4))
        matrix = Extremes(k).estimate(subset.graph(k), labels[kept])
        votes = prefix_votes(subset.of_others(test, k), labels[kept], 2, [k])[:, 0]
        yield np.mean(decide(votes, matrix) == y[test])


def figure_of_influence(found: Mapping[str, Influence | None], which: str) -> Figure:
    """Draw Figure 2 ("k"), 3 ("noise_k") or 4 ("size"), with one panel per data set.

    Parameters
    ----------
    found : dict of str to dict or None
        For each data set the result of `influence`, or None if the data are not available.
    which : {"k", "noise_k", "size"}
        What varies.

    Returns
    -------
    figure : matplotlib Figure
        Not attached to a window.
    """
    size = (3.2 * len(found) + 1, 3.2)
    figure = optional("matplotlib.figure", "plot", "figure_of_influence").Figure(figsize=size, layout="constrained")
    axes = figure.subplots(1, len(found), squeeze=False)[0]
    for ax, (name, accuracies) in zip(axes, found.items(), strict=True):
        ax.set(title=name, xlabel=INFLUENCE_LABELS[which])
        if accuracies is None:
            ax.text(0.5, 0.5, NOT_AVAILABLE, ha="center", transform=ax.transAxes)
        else:
            _draw_influence(ax, accuracies[which], TENTHS if which == "size" else K_VALUES)
    axes[0].set_ylabel("accuracy on clean labels")
    handles, labels = next((ax.get_legend_handles_labels() for ax in axes if ax.lines), ([], []))
    legend_beside(axes[-1], handles, labels, size="small")
    return figure


def _draw_influence(ax: Axes, by_noise: Mapping[Noise, np.ndarray], x_values: Sequence[float]) -> None:
    for number, (noise, values) in enumerate(by_noise.items()):
        mean, spread = values.mean(axis=0), values.std(axis=0)
        ax.plot(x_values, mean, ".-", color=f"C{number}", label=_noise_label(noise))
        ax.fill_between(x_values, mean - spread, mean + spread, color=f"C{number}", alpha=0.15, linewidth=0)
