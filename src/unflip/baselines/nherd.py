"""NHERDClassifier: learning via Gaussian herding."""

from __future__ import annotations

from typing import Any, ClassVar

from unflip.baselines.online_learner import OnlineLearner
from unflip.baselines.online_passes import DROP, EXACT, FULL, PROJECT


class NHERDClassifier(OnlineLearner):
    """Binary linear classifier by Gaussian herding (NHERD).

    It maintains a Gaussian distribution of weight vectors. Each row on which the mean's margin is below 1 moves all of
    them by the same linear map, which draws them together. The mean is updated as in AROW with ``r = 1 / C``; the
    covariance shrinks about twice as fast. It takes no noise rates: if one class is flipped more often than the other,
    it learns the decision boundary of the observed labels.

    Parameters
    ----------
    C : float, default=0.1
        Step size: larger values let a single row move the weights further. Use a small one for noisy labels.
    covariance : {"auto", "full", "exact", "project", "drop"}, default="auto"
        A full matrix, or a diagonal: "exact" makes the linear map itself diagonal, "project" drops the off-diagonal of
        the inverse covariance, "drop" that of the covariance. A full matrix costs time quadratic in the number of
        columns; "auto" uses it up to 128 columns, and "project" for more.
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
    AROWClassifier : The same weight updates; the covariance shrinks more slowly.
    sklearn.multiclass.OneVsRestClassifier : Wraps this classifier for more than two classes.

    Notes
    -----
    Columns should have similar scales, because all variances start at 1. With a single weight, the four forms of the
    covariance are the same.

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

    _forms: ClassVar[dict[str, int]] = {"full": FULL, "exact": EXACT, "project": PROJECT, "drop": DROP}
    _herding: ClassVar[bool] = True
    _regularizer: ClassVar[str] = "C"

    def __init__(
        self,
        C: float = 0.1,
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
        self.C = C

    def _r(self) -> float:
        return 1 / float(self.C)
