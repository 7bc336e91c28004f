"""Estimators that run on a cluster: their copies share the connection, which cannot be copied."""

from __future__ import annotations

from copy import copy
from typing import Any

from sklearn.base import BaseEstimator


class SharedExecutorMixin:
    """Let ``sklearn.base.clone`` hand the ``executor`` on as it is."""

    executor: Any

    def __sklearn_clone__(self) -> Any:
        bare = copy(self)
        bare.executor = None
        cloned = BaseEstimator.__sklearn_clone__(bare)
        cloned.executor = self.executor
        return cloned
