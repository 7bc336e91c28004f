"""The classifiers that ``--model`` names."""

from __future__ import annotations

from typing import Any

NAMES = ("auto", "neighbors", "forest", "boosting", "linear")


def model_named(name: str) -> Any:
    """Return the ``model`` of LabelAudit for one of the NAMES.

    >>> model_named("auto"), model_named("neighbors")
    ('auto', None)
    """
    if name in ("auto", "neighbors"):
        return "auto" if name == "auto" else None
    if name == "forest":
        from sklearn.ensemble import RandomForestClassifier

        return RandomForestClassifier(random_state=0)
    if name == "boosting":
        from sklearn.ensemble import HistGradientBoostingClassifier

        return HistGradientBoostingClassifier(random_state=0)
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MaxAbsScaler

    return make_pipeline(MaxAbsScaler(), LogisticRegression(max_iter=1000))
