"""Figures 1 to 4 of the paper: convergence on the synthetic distribution, the influence of k, k' and sample size."""

from __future__ import annotations

import numpy as np

from unflip.datasets import make_sine_product
from unflip.decision import decide
from unflip.neighbors import ExactIndex, SubsetIndex
from unflip.noise_model import NoiseModel, make_label_noise
from unflip.noise_rates import Extremes
from unflip.selection import CANDIDATES
from unflip.theory import SineProduct
from unflip.validation import optional
from unflip.votes import prefix_votes

ASYMMETRIC = ((0.1, 0.2), (0.3, 0.1))
SYMMETRIC = (0.1, 0.2, 0.3, 0.4)
SIZES = (500, 1000, 2000, 4000, 8000)
N_TEST = 7000
NOISES = ((0.1, 0.2), (0.3, 0.1), (0.4, 0.4))
FOUR = ("segment", "landsat", "pendigits", "magic04")
K = 50


def synthetic_errors(seeds=range(20)):
    """Return the errors behind Figure 1, {(method, tau_plus, tau_minus): array of shape (n_seeds, n_sizes)}.

    kNN and RkNN have k = 50 (and k' = 50); the labels are drawn anew for each seed, the points are the same.
    """
    X, y = make_sine_product(max(SIZES) + N_TEST, random_state=0)
    train, test = np.arange(max(SIZES)), np.arange(max(SIZES), len(X))
    near = {size: ExactIndex(n_jobs=-1).fit(X[:size]).query(X[test], K) for size in SIZES}
    graphs = {size: ExactIndex(n_jobs=-1).fit(X[:size]).graph(K) for size in SIZES}
    errors = {}
    for tau_plus, tau_minus in [*ASYMMETRIC, *((tau, tau) for tau in SYMMETRIC)]:
        for method in ("kNN", "1-NN", "RkNN"):
            errors[method, tau_plus, tau_minus] = np.empty((len(seeds), len(SIZES)))
        for row, seed in enumerate(seeds):
            labels = make_label_noise(y[train], [tau_minus, tau_plus], random_state=seed)
            for column, size in enumerate(SIZES):
                votes = prefix_votes(near[size], labels, 2, [1, K])
                matrix = Extremes(K).estimate(graphs[size], labels[:size])
                decided = {
                    "1-NN": decide(votes[:, 0], np.eye(2)),
                    "kNN": decide(votes[:, 1], np.eye(2)),
                    "RkNN": decide(votes[:, 1], matrix),
                }
                for method, predicted in decided.items():
                    errors[method, tau_plus, tau_minus][row, column] = np.mean(predicted != y[test])
    return errors


def figure_1(errors):
    """Draw the four panels of Figure 1 with the exact limits as lines."""
    pyplot = optional("matplotlib.pyplot", "plot", "figure_1")
    figure, axes = pyplot.subplots(2, 2, figsize=(9, 7), layout="constrained", sharex=True)
    truth = SineProduct()
    panels = (
        ("(a) kNN, asymmetric noise", "kNN", ASYMMETRIC),
        ("(b) kNN, symmetric noise", "kNN", tuple((tau, tau) for tau in SYMMETRIC)),
        ("(c) 1-NN, symmetric noise", "1-NN", tuple((tau, tau) for tau in SYMMETRIC)),
        ("(d) RkNN, asymmetric noise", "RkNN", ASYMMETRIC),
    )
    for axis, (title, method, noises) in zip(axes.flat, panels, strict=True):
        for number, (tau_plus, tau_minus) in enumerate(noises):
            values = errors[method, tau_plus, tau_minus]
            spread = values.std(axis=0, ddof=1) if len(values) > 1 else None
            axis.errorbar(
                SIZES, values.mean(axis=0), spread, fmt="o-", capsize=2, color=f"C{number}",
                label=f"({tau_plus:g}, {tau_minus:g})",
            )  # fmt: skip
            limit = _limit(truth, method, tau_plus, tau_minus)
            axis.axhline(limit, color=f"C{number}", linestyle="dotted")
        axis.axhline(truth.bayes_error, color="0.3", linewidth=1, label="best possible")
        axis.set_xscale("log")
        axis.set_xticks(SIZES, [f"{size:,}" for size in SIZES])
        axis.minorticks_off()
        axis.set(title=title, xlabel="training rows", ylabel="error on clean labels")
        axis.legend(fontsize="small", title="(tau_plus, tau_minus)", title_fontsize="small")
    return figure


def _limit(truth, method, tau_plus, tau_minus):
    if method == "1-NN":
        return truth.one_nn_limit(tau_plus)
    return truth.bayes_error if method == "RkNN" else truth.knn_limit(tau_plus, tau_minus)


def influence(X, y, *, seeds=range(10)):
    """Return the accuracies behind Figures 2 to 4 on one data set.

    Returns
    -------
    found : dict
        "k": {noise: (n_seeds, 20)} with k' = 50, "noise_k": {noise: (n_seeds, 20)} with k = 50, both over 5, 10, ...,
        100, and "size": {noise: (n_seeds, 10)} with k = k' = 50 over tenths of the training rows.
    """
    index = ExactIndex(n_jobs=-1).fit(X)
    graph = index.graph(min(200, len(X) - 1))
    counts = list(CANDIDATES)
    middle = counts.index(K)
    found = {name: {noise: [] for noise in NOISES} for name in ("k", "noise_k", "size")}
    for seed in seeds:
        order = np.random.RandomState(seed).permutation(len(X))
        test, train = np.sort(order[: len(X) // 4]), np.sort(order[len(X) // 4 :])
        part = SubsetIndex(graph, index, train)
        near, own = part.of_others(test, max(counts)), part.graph(max(counts))
        for noise in NOISES:
            rates = NoiseModel.of(noise[::-1], [0, 1]).transition_matrix
            labels = make_label_noise(y[train], rates, random_state=1000 + seed)
            votes = prefix_votes(near, labels, 2, counts)
            matrices = Extremes.estimate_each(own, labels, counts, 2)
            right = lambda votes, matrix, y=y, test=test: np.mean(decide(votes, matrix) == y[test])  # noqa: E731
            found["k"][noise].append([right(votes[:, i], matrices[middle]) for i in range(len(counts))])
            found["noise_k"][noise].append([right(votes[:, middle], matrix) for matrix in matrices])
            found["size"][noise].append(list(_by_size(graph, index, train, test, labels, y, seed)))
    return {name: {noise: np.array(rows) for noise, rows in by.items()} for name, by in found.items()}


def _by_size(graph, index, train, test, labels, y, seed):
    """Yield the accuracy learned from a tenth, two tenths, ... of the training rows."""
    order = np.random.RandomState(seed).permutation(len(train))
    for tenth in range(1, 11):
        kept = np.sort(order[: len(train) * tenth // 10])
        part = SubsetIndex(graph, index, train[kept])
        k = min(K, max(1, len(kept) // 4))
        matrix = Extremes(k).estimate(part.graph(k), labels[kept])
        votes = prefix_votes(part.of_others(test, k), labels[kept], 2, [k])[:, 0]
        yield np.mean(decide(votes, matrix) == y[test])


def figure_of_influence(found, which):
    """Draw Figure 2 ("k"), 3 ("noise_k") or 4 ("size"): one panel for each data set of {name: influence(...)}."""
    pyplot = optional("matplotlib.pyplot", "plot", "figure_of_influence")
    labels = {"k": "k", "noise_k": "k'", "size": "share of the training rows"}
    across = np.arange(1, 11) / 10 if which == "size" else np.array(CANDIDATES)
    figure, axes = pyplot.subplots(1, len(found), figsize=(3.2 * len(found), 3.2), layout="constrained", squeeze=False)
    for axis, (name, by_question) in zip(axes.flat, found.items(), strict=True):
        for number, (noise, values) in enumerate(by_question[which].items()):
            mean, spread = values.mean(axis=0), values.std(axis=0)
            axis.plot(across, mean, ".-", color=f"C{number}", label=f"({noise[0]:g}, {noise[1]:g})")
            axis.fill_between(across, mean - spread, mean + spread, color=f"C{number}", alpha=0.15)
        axis.set(title=name, xlabel=labels[which])
    axes[0, 0].set_ylabel("accuracy on clean labels")
    axes[0, -1].legend(fontsize="small", title="(tau_plus, tau_minus)", title_fontsize="small")
    return figure
