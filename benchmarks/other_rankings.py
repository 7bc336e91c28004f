"""Rankings of labels by others than cleanlab: SimiFeat's vote and rank, and the margin of an in-sample ensemble."""

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC


class SimiFeat:
    """Votes of nearest neighbors in feature space (Zhu, Dong and Liu 2022), the row itself left out.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_columns)
        Rows.
    labels : ndarray of int of shape (n_rows,)
        Observed class numbers.
    n_neighbors : int, default=10
        Voters of each row.
    """

    def __init__(self, X, labels, n_neighbors=10):
        self.labels = labels
        self.near = NearestNeighbors(n_neighbors=n_neighbors).fit(X).kneighbors(return_distance=False)
        self.soft = np.eye(labels.max() + 1)[labels[self.near]].mean(axis=1)

    @property
    def own_share(self):
        """The share of voters that agree with each label."""
        return self.soft[np.arange(len(self.labels)), self.labels]

    def vote(self):
        """Flag the labels that the majority contradicts."""
        return self.own_share < self.soft.max(axis=1)

    def scores(self):
        """Return the cosine of the votes and the given label: low is suspect."""
        return self.own_share / np.linalg.norm(self.soft, axis=1)

    def rank(self):
        """Flag the lowest scores of each observed class, as many as its labels are estimated to be wrong."""
        flagged = np.zeros(len(self.labels), bool)
        scores = self.scores()
        for c, rate in enumerate(self._shares_wrong()):
            rows = np.flatnonzero(self.labels == c)
            flagged[rows[np.argsort(scores[rows], kind="stable")][: round(rate * len(rows))]] = True
        return flagged

    def _shares_wrong(self, n_steps=300):
        """Return P(true label is another | observed label) of each class.

        As in HOC, a row and its two nearest neighbors are taken to share a true label and to be flipped independently.
        HOC matches moments; this maximizes the likelihood of the same triples, by EM.
        """
        n_classes = self.soft.shape[1]
        triples = np.zeros((n_classes,) * 3)
        np.add.at(triples, (self.labels, self.labels[self.near[:, 0]], self.labels[self.near[:, 1]]), 1)
        prior = np.full(n_classes, 1 / n_classes)
        T = 0.8 * np.eye(n_classes) + 0.2 / n_classes
        for _ in range(n_steps):
            joint = np.einsum("y,yi,yj,yk->yijk", prior, T, T, T)
            expected = triples * joint / np.maximum(joint.sum(axis=0), 1e-300)
            prior = expected.sum(axis=(1, 2, 3)) / triples.sum()
            emitted = expected.sum(axis=(2, 3)) + expected.sum(axis=(1, 3)) + expected.sum(axis=(1, 2))
            T = emitted / np.maximum(emitted.sum(axis=1, keepdims=True), 1e-300)
        return 1 - prior * np.diag(T) / np.maximum(prior @ T, 1e-300)


def in_sample_probabilities(X, labels, seed):
    """Return the mean probabilities of four models fitted to the very labels that they judge."""
    models = (
        RandomForestClassifier(100, random_state=seed),
        HistGradientBoostingClassifier(random_state=seed),
        make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        # What SVC(probability=True) did, which scikit-learn has deprecated.
        CalibratedClassifierCV(make_pipeline(StandardScaler(), SVC(random_state=seed)), ensemble=False),
    )
    return np.mean([model.fit(X, labels).predict_proba(X) for model in models], axis=0)


def margin(probabilities, labels):
    """Return the probability of the given label minus that of the likeliest other: low is suspect."""
    rows = np.arange(len(labels))
    others = probabilities.copy()
    others[rows, labels] = -np.inf
    return probabilities[rows, labels] - others.max(axis=1)
