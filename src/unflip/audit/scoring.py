"""From checked inputs to findings: the neighbors, the noise rates, and a score of every label."""

from __future__ import annotations

from typing import Any

import numpy as np

from unflip.audit.findings import Findings
from unflip.audit.inputs import Inputs
from unflip.audit.probabilities import Scores, score, score_carefully, worst
from unflip.audit.shares import (
    K_VALUES,
    ROWS_TO_CHOOSE_BY,
    blend,
    blocks,
    choose_n_neighbors,
    choose_weight,
    neighbor_shares,
)
from unflip.foundation.checks import generator
from unflip.foundation.row_hashes import row_hashes
from unflip.neighbors import NeighborGraph, NeighborIndex
from unflip.noise.posterior import invertible_or_identity
from unflip.noise.transition import NoiseModel
from unflip.noise_rates import NoiseRates
from unflip.noise_rates.estimation import N_NEIGHBORS, rates_from_graph
from unflip.noise_rates.given import counted_rates, given_rates


def find(
    inputs: Inputs,
    index: NeighborIndex | None,
    *,
    noise: NoiseModel | None = None,
    n_neighbors: int | str = "auto",
    top: int | None = None,
    confidence: float = 0.9,
    random_state: Any = None,
) -> Findings:
    """Score every label.

    Parameters
    ----------
    inputs : Inputs
        Rows, labels and a model's probabilities, checked.
    index : NeighborIndex or None
        Of the rows; None if only probabilities were given.
    noise : NoiseModel or None, default=None
        The transition matrix, if it is known.
    n_neighbors : int or "auto", default="auto"
        How many neighbors are consulted.
    top : int or None, default=None
        How many labels to flag; None flags as many as the noise rates expect to be wrong.
    confidence : float, default=0.9
        Of the intervals of the noise rates.
    random_state : int, RandomState instance or None, default=None
        Resamples rows where rates are counted from probabilities.

    Returns
    -------
    findings : Findings
        What explanations, documents and files are made of.
    """
    graph, k = (None, 0) if index is None else search(index, inputs, n_neighbors)
    rates = _rates(inputs, graph, noise, confidence, random_state)
    scores = _scores(inputs, graph, k, rates, estimated=noise is None)
    expected = round(rates.share_wrong * len(inputs.labels))
    flagged = worst(scores.p_wrong, expected if top is None else top)
    return Findings(inputs, rates, scores.p_wrong, scores.alternative, flagged, graph, k)


def search(index: NeighborIndex, inputs: Inputs, n_neighbors: int | str) -> tuple[NeighborGraph, int]:
    """Choose how many neighbors to consult, by some rows if there are many, and find those of all rows."""
    labels, n_rows = inputs.labels, len(inputs.labels)
    if not isinstance(n_neighbors, str):
        k = min(n_neighbors, n_rows - 1)
        return index.graph(max(N_NEIGHBORS, k)), k
    rows, many = np.arange(n_rows), n_rows > 4 * ROWS_TO_CHOOSE_BY
    if many:
        rows = rows_to_choose_by(inputs)
    near = index.graph(K_VALUES[-1], rows)
    k = choose_n_neighbors(near, labels, len(inputs.classes), K_VALUES, rows)
    kept = max(N_NEIGHBORS, k)
    return (index.graph(kept) if many else near.first(kept)), k


def rows_to_choose_by(inputs: Inputs) -> np.ndarray:
    """Return some rows, picked by what they hold, so that the order of the rows does not matter."""
    if inputs.pairwise:  # a row of distances looks different in every order
        return np.sort(np.random.RandomState(0).permutation(len(inputs.labels))[:ROWS_TO_CHOOSE_BY])
    keys = row_hashes(inputs.matrix) ^ (inputs.labels.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    return np.sort(np.argsort(keys, kind="stable")[:ROWS_TO_CHOOSE_BY])


def _rates(
    inputs: Inputs, graph: NeighborGraph | None, noise: NoiseModel | None, confidence: float, random_state: Any
) -> NoiseRates:
    if noise is not None:
        return given_rates(noise, inputs.labels, confidence)
    if graph is None:
        assert inputs.pred_probs is not None
        random = generator(random_state)
        return counted_rates(inputs.pred_probs, inputs.classes, inputs.labels, confidence, random)
    near = graph.first(N_NEIGHBORS)
    return rates_from_graph(near, inputs.classes, inputs.labels, confidence=confidence, compared=False)


def _scores(inputs: Inputs, graph: NeighborGraph | None, k: int, rates: NoiseRates, *, estimated: bool) -> Scores:
    """Return the scores of all labels, a block of rows at a time."""
    labels, n_classes = inputs.labels, len(inputs.classes)
    matrix = invertible_or_identity(rates.transition_matrix)
    weight = _weight_of_model(inputs, graph, k)
    judge = score_carefully if n_classes > 2 and estimated else score
    parts = []
    for block in blocks(len(labels)):
        parts.append(judge(_shares(inputs, graph, k, weight, block), labels[block], matrix))
    return Scores(*map(np.concatenate, zip(*parts, strict=True)))


def _shares(inputs: Inputs, graph: NeighborGraph | None, k: int, weight: float, block: slice) -> np.ndarray:
    """Return P(observed label | x) for a block of rows, from the neighbors, the model, or both."""
    if inputs.pred_probs is None or weight == 0:
        assert graph is not None
        return neighbor_shares(graph, inputs.labels, len(inputs.classes), k, block)
    model = inputs.pred_probs[block]
    if graph is None or weight == 1:
        return blend(model, model, weight)
    return blend(neighbor_shares(graph, inputs.labels, len(inputs.classes), k, block), model, weight)


def _weight_of_model(inputs: Inputs, graph: NeighborGraph | None, k: int) -> float:
    """Return how much pred_probs weigh beside the neighbors."""
    labels, pred_probs = inputs.labels, inputs.pred_probs
    if pred_probs is None:
        return 0.0
    if graph is None:
        return 1.0
    n_classes = len(inputs.classes)
    own = [
        neighbor_shares(graph, labels, n_classes, k, block)[np.arange(len(labels[block])), labels[block]]
        for block in blocks(len(labels))
    ]
    return choose_weight(np.concatenate(own), pred_probs[np.arange(len(labels)), labels])
