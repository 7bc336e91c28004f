"""Why a row was classified as it was."""

import numpy as np
from scipy import sparse

from unflip import RobustKNeighborsClassifier

RANDOM = np.random.RandomState(0)


X = RANDOM.normal(size=(120, 3))


Y = (X[:, 0] > 0).astype(int)


def test_the_explanation_holds_the_reasons():
    model = RobustKNeighborsClassifier(10, noise_rates={"b": 0.3}).fit(X, np.array(["a", "b"])[Y])
    explanation = model.explain(X[:3] + 0.01)[0]
    distances, indices = model.kneighbors(X[:1] + 0.01)
    np.testing.assert_array_equal(explanation.neighbors, indices[0])
    np.testing.assert_array_equal(explanation.distances, distances[0])
    np.testing.assert_array_equal(explanation.neighbor_labels, np.array(["a", "b"])[Y[indices[0]]])
    assert explanation.votes == {"a": int(np.sum(Y[indices[0]] == 0)), "b": int(np.sum(Y[indices[0]] == 1))}
    assert explanation.prediction == model.predict(X[:1] + 0.01)[0]
    words = str(explanation)
    assert f"{explanation.votes[explanation.prediction]} labeled {explanation.prediction}" in words
    assert "0.3 for b; so b is predicted from a share of 0.350, and its share here is" in words


def test_explanations_in_words():
    model = RobustKNeighborsClassifier(3, noise_rates=[0.1, 0.0, 0.2]).fit([[0.0], [1.0], [3.0]], ["x", "y", "z"])
    # By hand: p @ T = (1, 1, 1) / 3 gives p_z = .396.
    assert str(model.explain([[0.0]])[0]) == (
        "Predicted z with probability 0.40. Of its 3 nearest rows (at distances 0 to 3), 1 labeled x, 1 labeled y and "
        "1 labeled z. Assumed flip rates: 0.1 for x, 0 for y and 0.2 for z."
    )
    weighted = RobustKNeighborsClassifier(2, noise_rates=None, weights="distance").fit([[0.0], [3.0]], ["x", "y"])
    assert "Of the weight 1.5 of its 2 nearest rows (at distances 1 to 2), 1 labeled x and 0.5 labeled y." in str(
        weighted.explain([[1.0]])[0]
    )
    lonely = RobustKNeighborsClassifier(1, metric="precomputed", noise_rates=None)
    lonely.fit(sparse.csr_array(([1.0, 1.0], ([0, 1], [1, 0])), shape=(2, 2)), ["x", "y"])
    assert "It has no neighbors." in str(lonely.explain(sparse.csr_array((1, 2)))[0])
