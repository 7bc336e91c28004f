"""AROWClassifier: adaptive regularization of weight vectors."""

from __future__ import annotations

from typing import Any, ClassVar

from unflip.baselines.online_learner import OnlineLearner
from unflip.baselines.online_passes import FULL, PROJECT


class AROWClassifier(OnlineLearner):
    """Binary linear classifier by adaptive regularization of weight vectors (AROW).

    It maintains a Gaussian over the weights. Each row with a margin below 1 moves the mean, mostly along directions of
    high variance, and shrinks the covariance, so late wrong labels have little effect. It takes no noise rates: if one
    class is flipped more often than the other, it learns the decision boundary of the observed labels.

    Parameters
    ----------
    r : float, default=1.0
        Regularization strength; larger values mean smaller steps.
    covariance : {"auto", "full", "diagonal"}, default="auto"
        A full matrix, or a vector of variances: the off-diagonal of the inverse covariance is then dropped after each
        step. A full matrix costs time quadratic in the number of columns; "auto" uses it up to 128 columns.
    epochs : int, default=10
        Number of passes of `fit` over the rows; there is no early stopping.
    fit_intercept : bool, default=True
        Whether to fit an intercept, as the weight of a constant column of ones.
    shuffle : bool, default=True
        Whether `fit` shuffles the rows before each pass.
    random_state : int, RandomState instance or None, default=None
        Shuffles the rows. Pass an int for reproducible results.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels, sorted.
    coef_ : ndarray of shape (1, n_features)
        Weights: the mean of the Gaussian.
    intercept_ : ndarray of shape (1,)
        Intercept; zero if it is not fitted.
    covariance_ : ndarray of shape (n_weights, n_weights) or (n_weights,)
        Covariance of the weights, or their variances. The intercept, if there is one, comes last.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns, if X had any.

    See Also
    --------
    NHERDClassifier : The same weight updates; the covariance shrinks about twice as fast.
    sklearn.multiclass.OneVsRestClassifier : Wraps this classifier for more than two classes.

    Notes
    -----
    If every row moves the weights, one pass with a full covariance is ridge regression on labels -1 and 1: the weights
    are ``inv(r I + X'X) X'y`` and the covariance is ``inv(I + X'X / r)``. Columns should have similar scales, because
    all variances start at 1.

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

    _forms: ClassVar[dict[str, int]] = {"full": FULL, "diagonal": PROJECT}
    _herding: ClassVar[bool] = False
    _regularizer: ClassVar[str] = "r"

    def __init__(
        self,
        r: float = 1.0,
        *,
        covariance: str = "auto",
        epochs: int = 10,
        fit_intercept: bool = True,
        shuffle: bool = True,
        random_state: Any = None,
    ):
        super().__init__(
            covariance=covariance,
            epochs=epochs,
            fit_intercept=fit_intercept,
            shuffle=shuffle,
            random_state=random_state,
        )
        self.r = r

    def _r(self) -> float:
        return float(self.r)
