"""NHERDClassifier: learning via Gaussian herding."""

from __future__ import annotations

from typing import ClassVar

from unflip.baselines.online_learner import OnlineLearner
from unflip.baselines.online_passes import DROP, EXACT, FULL, PROJECT


class NHERDClassifier(OnlineLearner):
    """Linear classifier of two classes by Gaussian herding (NHERD).

    A crowd of weight vectors, Gaussian, is herded from row to row: where the mean's margin is below 1, all of them are
    moved by the same linear map, and crowd together. The step of the mean is that of AROW with ``r = 1 / C``, the
    covariance shrinks about twice as fast. It takes no noise rates: where labels of one class are flipped more often
    than those of the other, it learns the boundary of the labels as observed.

    Parameters
    ----------
    C : float, default=0.1
        Size of the steps: the larger, the more a single row moves. Many wrong labels want a small one.
    covariance : {"auto", "full", "exact", "project", "drop"}, default="auto"
        A matrix, or how its diagonal is kept: "exact" makes the linear map itself diagonal, "project" drops the
        off-diagonal of the inverse covariance, "drop" that of the covariance. A matrix costs the square of the number
        of columns for each row; "auto" keeps it up to 128 columns, and is "project" beyond.
    epochs : int, default=10
        Number of passes of `fit` over the rows; there is no other rule to stop.
    fit_intercept : bool, default=True
        Whether the rows get a constant column of ones, whose weight is the intercept.
    shuffle : bool, default=True
        Whether `fit` shuffles the rows before each pass.
    random_state : int, RandomState instance or None, default=None
        Shuffles the rows. Pass an int for the same result on every call.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels, sorted.
    coef_ : ndarray of shape (1, n_features)
        Weights: the mean of the Gaussian.
    intercept_ : ndarray of shape (1,)
        Weight of the constant column, or zero without one.
    covariance_ : ndarray of shape (n_weights, n_weights) or (n_weights,)
        Covariance of the weights, or their variances. The constant column, where there is one, comes last.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns, where X had any.

    See Also
    --------
    AROWClassifier : The same step of the weights; the covariance shrinks more slowly.
    sklearn.multiclass.OneVsRestClassifier : Wrap this for more than two classes.

    Notes
    -----
    Columns should be of similar scale, because all variances begin at 1. With a single weight the four forms of the
    covariance are one.

    References
    ----------
    .. [1] K. Crammer and D. D. Lee, "Learning via Gaussian Herding", NIPS 2010.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import train_test_split
    >>> from sklearn.preprocessing import minmax_scale
    >>> from unflip import make_label_noise
    >>> from unflip.baselines import NHERDClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(minmax_scale(X, (-1, 1)), y, random_state=0)
    >>> noisy = make_label_noise(y_train, 0.2, random_state=0)
    >>> model = NHERDClassifier(random_state=0).fit(X_train, noisy)
    >>> print(f"{model.score(X_test, y_test):.2f}")
    0.93
    """

    _forms: ClassVar = {"full": FULL, "exact": EXACT, "project": PROJECT, "drop": DROP}
    _herding = True
    _regularizer = "C"

    def __init__(
        self,
        C=0.1,
        *,
        covariance="auto",
        epochs=10,
        fit_intercept=True,
        shuffle=True,
        random_state=None,
    ):
        self.C = C
        self.covariance = covariance
        self.epochs = epochs
        self.fit_intercept = fit_intercept
        self.shuffle = shuffle
        self.random_state = random_state

    def _r(self):
        return 1 / float(self.C)
