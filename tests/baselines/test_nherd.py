"""NHERD: herding as a linear map, its four forms, and scikit-learn's checks."""

from itertools import pairwise

import numpy as np
from sklearn.utils.estimator_checks import parametrize_with_checks

from baselines.online_models import MODELS, SIGNS, X, learned, one_pass
from unflip.baselines import AROWClassifier, NHERDClassifier


@parametrize_with_checks([NHERDClassifier(), NHERDClassifier(covariance="project")])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_herding_maps_the_covariance_from_both_sides():
    x, C = np.array([1.0, -2.0, 0.5]), 0.8
    model = NHERDClassifier(C, covariance="full", fit_intercept=False).partial_fit(x[None], [1], classes=[0, 1])
    herded = np.linalg.inv(np.eye(3) + C * np.outer(x, x))
    np.testing.assert_allclose(model.covariance_, herded @ herded.T, rtol=1e-12, atol=1e-14)


def test_the_forms_of_herding_agree_in_one_dimension():
    models = [
        NHERDClassifier(0.9, covariance=form, fit_intercept=False, random_state=0).fit(X[:, :1], SIGNS)
        for form in NHERDClassifier._forms
    ]
    for one, other in pairwise(models):
        np.testing.assert_allclose(learned(one), learned(other), rtol=1e-9)


def test_the_forms_of_herding_differ_in_five_dimensions():
    results = [learned(one_pass(model).fit(X, SIGNS))[:6] for model in MODELS]
    for place, one in enumerate(results):
        assert all(np.abs(one - other).max() > 1e-3 for other in results[:place])


def test_the_first_step_is_that_of_arow_and_the_covariance_shrinks_further():
    ours, theirs = (
        model.partial_fit(X[:1], [1], classes=[0, 1])
        for model in (NHERDClassifier(0.5, covariance="full"), AROWClassifier(2.0, covariance="full"))
    )
    np.testing.assert_allclose(ours.coef_, theirs.coef_)
    assert np.trace(ours.covariance_) < np.trace(theirs.covariance_) < 6
