"""AROWClassifier: adaptive regularization of weight vectors."""

from __future__ import annotations

from typing import ClassVar

from unflip.baselines.online_learner import OnlineLearner
from unflip.baselines.online_passes import FULL, PROJECT


class AROWClassifier(OnlineLearner):
    """Linear classifier of two classes by adaptive regularization of weight vectors (AROW).

    A Gaussian over the weights is carried from row to row. A row whose margin is below 1 moves the mean, most along
    what the covariance still leaves open, and makes the covariance smaller; so a wrong label that comes late moves
    little. It takes no noise rates: where labels of one class are flipped more often than those of the other, it
    learns the boundary of the labels as observed.

    Parameters
    ----------
    r : float, default=1.0
        Regularization: the larger, the smaller the steps.
    covariance : {"auto", "full", "diagonal"}, default="auto"
        Whether the covariance is a matrix, or a vector of variances, which is what is left of the matrix when the
        off-diagonal of its inverse is dropped after each step. A matrix costs the square of the number of columns for
        each row; "auto" keeps it up to 128 columns.
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
    NHERDClassifier : The same step of the weights; the covariance shrinks about twice as fast.
    sklearn.multiclass.OneVsRestClassifier : Wrap this for more than two classes.

    Notes
    -----
    If every row moves the weights, one pass with a full covariance is ridge regression on labels -1 and 1: the weights
    are ``inv(r I + X'X) X'y`` and the covariance is ``inv(I + X'X / r)``. Columns should be of similar scale, because
    all variances begin at 1.

    References
    ----------
    .. [1] K. Crammer, A. Kulesza and M. Dredze, "Adaptive Regularization of Weight Vectors", NIPS 2009.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import train_test_split
    >>> from sklearn.preprocessing import minmax_scale
    >>> from unflip import make_label_noise
    >>> from unflip.baselines import AROWClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(minmax_scale(X, (-1, 1)), y, random_state=0)
    >>> noisy = make_label_noise(y_train, 0.2, random_state=0)
    >>> model = AROWClassifier(random_state=0).fit(X_train, noisy)
    >>> print(f"{model.score(X_test, y_test):.2f}")
    0.90
    """

    _forms: ClassVar = {"full": FULL, "diagonal": PROJECT}
    _herding = False
    _regularizer = "r"

    def __init__(
        self,
        r=1.0,
        *,
        covariance="auto",
        epochs=10,
        fit_intercept=True,
        shuffle=True,
        random_state=None,
    ):
        self.r = r
        self.covariance = covariance
        self.epochs = epochs
        self.fit_intercept = fit_intercept
        self.shuffle = shuffle
        self.random_state = random_state

    def _r(self):
        return float(self.r)
