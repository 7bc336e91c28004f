"""scikit-learn's own checks of every estimator."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import pairwise_distances
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsTransformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from unflip import LabelAudit, NoiseCorrectedClassifier, RobustKNeighborsClassifier

RANDOM = np.random.RandomState(0)
X = RANDOM.normal(size=(90, 3))
Y = np.where(X[:, 0] + 0.3 * RANDOM.normal(size=90) > 0, "yes", "no")


ESTIMATORS = [
    RobustKNeighborsClassifier(),
    RobustKNeighborsClassifier(metric="learned"),
    LabelAudit(),
    LabelAudit(model=None),
    NoiseCorrectedClassifier(),
    NoiseCorrectedClassifier(LogisticRegression()),
]


def expected_failures(estimator):
    """Return the checks that fail for a reason."""
    if getattr(estimator, "metric", None) == "learned":
        # The check shuffles a handful of rows that no tree tells apart: ties go to the smaller row number.
        names = ("dense", "sparse")
        return {f"check_sample_weight_equivalence_on_{name}_data": "ties by row number" for name in names}
    return {}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_pandas_and_polars_in_and_names_checked():
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = RobustKNeighborsClassifier().fit(frame, pd.Series(Y))
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    expected = RobustKNeighborsClassifier().fit(X, Y).predict(X)
    assert model.predict(frame).tolist() == expected.tolist()
    polars_model = RobustKNeighborsClassifier().fit(pl.DataFrame(frame.to_dict("list")), pl.Series(Y.tolist()))
    assert polars_model.predict(pl.DataFrame(frame.to_dict("list"))).tolist() == expected.tolist()
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["b", "a", "c"]])


def test_it_works_in_pipelines_searches_and_scorers():
    pipeline = make_pipeline(StandardScaler().set_output(transform="pandas"), RobustKNeighborsClassifier())
    search = GridSearchCV(pipeline, {"robustkneighborsclassifier__n_neighbors": [3, 9]}, scoring="balanced_accuracy")
    assert search.fit(X, Y).best_score_ > 0.7
    assert cross_val_score(pipeline, X, Y, scoring="roc_auc").mean() > 0.8
    assert CalibratedClassifierCV(pipeline, cv=3).fit(X, Y).predict_proba(X).shape == (90, 2)
    assert clone(pipeline).get_params()["robustkneighborsclassifier__noise_rates"] == "estimate"


def test_precomputed_distances_in_a_search_and_a_pipeline():
    pairs = pairwise_distances(X)
    model = RobustKNeighborsClassifier(7, metric="precomputed")
    scores = cross_val_score(model, pairs, Y, cv=3)
    np.testing.assert_allclose(scores, cross_val_score(RobustKNeighborsClassifier(7), X, Y, cv=3))
    pipeline = make_pipeline(KNeighborsTransformer(n_neighbors=60), RobustKNeighborsClassifier(7, metric="precomputed"))
    np.testing.assert_array_equal(
        pipeline.fit(X, Y).predict(X + 0.01), RobustKNeighborsClassifier(7).fit(X, Y).predict(X + 0.01)
    )
