"""Copies of an estimator share its connection to a cluster."""

from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from unflip import RobustKNeighborsClassifier


class Connection:
    """It cannot be copied."""

    def submit(self): ...

    gather = scheduler_info = nthreads = submit

    def __deepcopy__(self, memo):
        raise TypeError("a connection cannot be copied")


def test_clones_share_the_executor_and_nothing_else():
    connection = Connection()
    model = RobustKNeighborsClassifier(7, executor=connection, metric_params={"p": 2})
    copied = clone(model)
    assert copied.executor is connection
    assert model.executor is connection
    assert copied.n_neighbors == 7
    assert copied.metric_params == {"p": 2}
    assert copied.metric_params is not model.metric_params
    assert clone(make_pipeline(StandardScaler(), model))[-1].executor is connection
