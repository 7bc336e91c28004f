"""Figures 1 to 4 of the paper: convergence on the synthetic distribution, the influence of k, k' and sample size."""

from __future__ import annotations

import numpy as np

from unflip.classifier.selection import K_VALUES
from unflip.datasets import make_sine_product
from unflip.foundation.optional import optional
from unflip.neighbors import ExactIndex, SubsetIndex
from unflip.noise.flipping import make_label_noise
from unflip.noise.transition import NoiseModel
from unflip.noise_rates import Extremes
from unflip.theory import SineProduct
from unflip.voting.decision import decide
from unflip.voting.votes import prefix_votes

ASYMMETRIC = ((0.1, 0.2), (0.3, 0.1))
SYMMETRIC = tuple((tau, tau) for tau in (0.1, 0.2, 0.3, 0.4))
NEIGHBORS = (5, 10, 20, 50, 100, 200, 400, 800)  # panels (a), (b) and (d)
SIZES = (500, 1000, 2000, 4000, 8000)  # panel (c)
N_TRAIN, N_TEST = 8000, 7000
NOISES = ((0.1, 0.2), (0.3, 0.1), (0.4, 0.4))
FOUR = ("segment", "landsat", "pendigits", "magic04")
K = 50
RATES_AXIS = r"($\tau_+$, $\tau_-$)"
TENTHS = tuple(tenth / 10 for tenth in range(1, 11))
PANELS = (
    ("(a) kNN, asymmetric noise", "kNN", ASYMMETRIC),
    ("(b) kNN, symmetric noise", "kNN", SYMMETRIC),
    ("(c) 1-NN, symmetric noise", "1-NN", SYMMETRIC),
    ("(d) RkNN, asymmetric noise", "RkNN", ASYMMETRIC),
)


def synthetic_errors(seeds=range(20), n_train=N_TRAIN, n_test=N_TEST):
    """Return the errors behind Figure 1: as k grows for kNN and RkNN (k' = 50), as n grows for 1-NN.

    The points are the same for all seeds, the flips are not, as the paper has it.

    Returns
    -------
    errors : dict
        {(method, tau_plus, tau_minus): array of shape (n_seeds, n_values)} for "kNN", "RkNN" and "1-NN", and
        {"best rule": error of the Bayes rule on the same test rows}, which chance puts beside the best possible error.
    """
    X, y = make_sine_product(n_train + n_test, random_state=0)
    train, test = np.arange(n_train), np.arange(n_train, len(X))
    index = ExactIndex(n_jobs=-1).fit(X[train])
    graph, near = index.graph(K), index.query(X[test], max(NEIGHBORS))
    nearest = {size: ExactIndex(n_jobs=-1).fit(X[:size]).query(X[test], 1) for size in SIZES}
    errors = {"best rule": float(np.mean((SineProduct.eta(X[test]) >= 0.5) != y[test]))}
    for noise in (*ASYMMETRIC, *SYMMETRIC):
        rows = {"kNN": [], "RkNN": [], "1-NN": []}
        for seed in seeds:
            labels = make_label_noise(y[train], noise[::-1], random_state=seed)
            votes = prefix_votes(near, labels, 2, NEIGHBORS)
            for method, matrix in (("kNN", np.eye(2)), ("RkNN", Extremes(K).estimate(graph, labels))):
                decided = decide(votes, matrix)
                rows[method].append((decided != y[test][:, None]).mean(axis=0))
            found = (labels[nearest[size].indices[:, 0]] for size in SIZES)
            rows["1-NN"].append([np.mean(predicted != y[test]) for predicted in found])
        errors |= {(method, *noise): np.array(values) for method, values in rows.items()}
    return errors


def figure_1(errors):
    """Draw the four panels of Figure 1 with the exact limits as dotted lines."""
    figure = optional("matplotlib.figure", "plot", "figure_1").Figure(figsize=(10, 7), layout="constrained")
    axes = figure.subplots(2, 2)
    for axis, (title, method, noises) in zip(axes.flat, PANELS, strict=True):
        across = SIZES if method == "1-NN" else NEIGHBORS
        for number, (tau_plus, tau_minus) in enumerate(noises):
            values, color = errors[method, tau_plus, tau_minus], f"C{number}"
            label = f"({tau_plus:g}, {tau_minus:g})"
            axis.errorbar(
                across, values.mean(axis=0), values.std(axis=0), fmt=".-", capsize=2, color=color, label=label
            )
            axis.axhline(exact_limit(method, tau_plus, tau_minus), color=color, linestyle="dotted")
        axis.plot([], [], color="0.3", linestyle="dotted", label="limit, n → ∞")
        axis.axhline(SineProduct.bayes_error, color="0.3", linewidth=1, label="best possible")
        axis.axhline(
            errors["best rule"], color="0.6", linewidth=1, linestyle="dashed", label="best rule,\nthese test rows"
        )
        axis.set_xscale("log")
        axis.set_xticks(across, [f"{value:,}" for value in across])
        axis.minorticks_off()
        axis.set(title=title, xlabel="training rows" if method == "1-NN" else "k", ylabel="error on clean labels")
        legend_beside(axis, *_rates_first(*axis.get_legend_handles_labels()), size="small")
    return figure


def legend_beside(axis, handles, labels, *, size):
    """Put a legend of rates to the right of a panel, where it hides nothing."""
    place = {"loc": "center left", "bbox_to_anchor": (1, 0.5), "frameon": False}
    axis.legend(handles, labels, fontsize=size, title=RATES_AXIS, title_fontsize=size, **place)


def _rates_first(handles, labels):
    in_order = sorted(zip(handles, labels, strict=True), key=lambda pair: not pair[1].startswith("("))
    return [handle for handle, _ in in_order], [label for _, label in in_order]


def exact_limit(method, tau_plus, tau_minus):
    """Return what the error of "kNN", "1-NN" or "RkNN" tends to on the synthetic distribution."""
    if method == "1-NN":
        return SineProduct.one_nn_limit(tau_plus, tau_minus)
    return SineProduct.bayes_error if method == "RkNN" else SineProduct.knn_limit(tau_plus, tau_minus)


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
    counts = list(K_VALUES)
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
            right = decide(votes, matrices[middle]) == y[test][:, None]
            found["k"][noise].append(right.mean(axis=0))
            found["noise_k"][noise].append([np.mean(decide(votes[:, middle], T) == y[test]) for T in matrices])
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
    """Draw Figure 2 ("k"), 3 ("noise_k") or 4 ("size"): a panel for each data set of {name: influence(...) or None}."""
    labels = {"k": "k", "noise_k": "k'", "size": "share of the training rows"}
    size = (3.2 * len(found) + 1, 3.2)
    figure = optional("matplotlib.figure", "plot", "figure_of_influence").Figure(figsize=size, layout="constrained")
    axes = figure.subplots(1, len(found), squeeze=False)[0]
    for axis, (name, by_question) in zip(axes, found.items(), strict=True):
        axis.set(title=name, xlabel=labels[which])
        if by_question is None:
            axis.text(0.5, 0.5, "data not available", ha="center", transform=axis.transAxes)
        else:
            _draw_influence(axis, by_question[which], TENTHS if which == "size" else K_VALUES)
    axes[0].set_ylabel("accuracy on clean labels")
    handles = next((axis.get_legend_handles_labels() for axis in axes if axis.lines), ([], []))
    legend_beside(axes[-1], *handles, size="small")
    return figure


def _draw_influence(axis, by_noise, across):
    for number, (noise, values) in enumerate(by_noise.items()):
        mean, spread = values.mean(axis=0), values.std(axis=0)
        axis.plot(across, mean, ".-", color=f"C{number}", label=f"({noise[0]:g}, {noise[1]:g})")
        axis.fill_between(across, mean - spread, mean + spread, color=f"C{number}", alpha=0.15, linewidth=0)
