"""Which opinion speaks for a ``model=`` parameter: the blend, neighbors alone, or a classifier beside them."""

from __future__ import annotations

from typing import Any

import numpy as np

from unflip.foundation.errors import refusal
from unflip.opinions.blend import Blend, default_opinions
from unflip.opinions.contract import Opinion
from unflip.opinions.cross_fitted import CrossFitted
from unflip.opinions.neighbors import LearnedNeighbors, RawNeighbors
from unflip.opinions.sampled import inner_opinion, learned_rows

ACCEPTED = '"auto" (a blend of several models), None (neighbors alone), or a classifier with fit and predict'


def check_model(owner: object, model: Any) -> None:
    """Refuse a model that is neither "auto", None nor a classifier."""
    named = model is None or (isinstance(model, str) and model == "auto")
    if not named and (isinstance(model, (str, type)) or not (hasattr(model, "fit") and hasattr(model, "predict"))):
        raise refusal(owner, "model", ACCEPTED, model)


def choose_opinions(
    model: Any, *, metric: Any = "euclidean", algorithm: Any = "auto", executor: Any = None,
    n_neighbors: int | str = "auto", seed: int = 0, n_jobs: int | None = None, owner: object = None,
) -> list[Opinion]:  # fmt: skip
    """Return the opinions to blend, unfitted."""
    if isinstance(metric, str) and metric == "precomputed":  # there are no columns for models to read
        if not (model is None or isinstance(model, str)):
            raise refusal(
                "unflip" if owner is None else owner, "model", '"auto" or None for precomputed distances', model
            )
        model = None
    shared: dict[str, Any] = {
        "metric": metric, "algorithm": algorithm, "executor": executor, "n_jobs": n_jobs, "owner": owner
    }  # fmt: skip
    if isinstance(model, str):
        return default_opinions(n_neighbors=n_neighbors, seed=seed, **shared)
    raw = RawNeighbors(n_neighbors, **shared)
    return [raw] if model is None else [raw, CrossFitted(model, seed=seed, n_jobs=n_jobs)]


def neighbors_in(blend: Blend, *, raw: bool = False) -> RawNeighbors | None:
    """Return the neighbors of a fitted blend that weigh most, if it has any; or those in the columns as they are.

    Neighbors among a sample of the rows are passed over: they do not say who is near every row.
    """
    found = [
        (weight, -place, inner_opinion(opinion))
        for place, (opinion, weight) in enumerate(zip(blend.opinions_, blend.weights_.values(), strict=True))
        if isinstance(inner_opinion(opinion), RawNeighbors) and learned_rows(opinion) is None
        and not (raw and isinstance(inner_opinion(opinion), LearnedNeighbors))
    ]  # fmt: skip
    return max(found, key=lambda each: each[:2])[2] if found else None


def importances_in(blend: Blend) -> np.ndarray | None:
    """Return how much each column does to make rows alike, by the learned neighbors of a fitted blend, or None."""
    for name, opinion in zip(blend.weights_, map(inner_opinion, blend.opinions_), strict=True):
        if isinstance(opinion, LearnedNeighbors) and blend.n_learned_from_[name]:
            return opinion.importances
    return None
