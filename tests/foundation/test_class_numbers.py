"""Labels of any type as class numbers."""

import numpy as np
import pandas as pd
import pytest

from unflip import LabelAudit, NoiseCorrectedClassifier, estimate_noise_rates
from unflip.foundation.class_numbers import class_numbers

X = np.random.RandomState(0).normal(size=(30, 2))


@pytest.mark.parametrize("y", [["b", "a", "b"], pd.Series([2.0, 1.0, 2.0]), np.array([True, False, True])])
def test_classes_are_sorted_and_labels_numbered(y):
    classes, labels = class_numbers("me", y)
    assert classes.tolist() == sorted(set(np.asarray(y).tolist()))
    assert labels.tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("y", "said"),
    [
        (["a", "b", None] * 10, "labels without gaps, got '10 missing, the first in row 2'"),
        ([1.0, 2.0, np.nan] * 10, "labels without gaps, got '10 missing, the first in row 2'"),
        ([1, "a"] * 15, "labels of one kind, got \"a mixture, such as 1 and 'a'\""),
        (["a"] * 30, "labels of two classes or more, got \"1 class: 'a'\""),
    ],
)
def test_labels_that_cannot_be_used_are_refused_alike_wherever_they_are_given(y, said):
    y = np.array(y, dtype=object)
    refusers = {
        "LabelAudit": lambda: LabelAudit().fit(X, y),
        "NoiseCorrectedClassifier": lambda: NoiseCorrectedClassifier().fit(X, y),
        "estimate_noise_rates": lambda: estimate_noise_rates(X, y),
    }
    for name, refuse in refusers.items():
        with pytest.raises(ValueError, match=f"^{name}: 'y' must be ") as refused:
            refuse()
        assert said in str(refused.value)


def test_a_quantity_is_no_class():
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        class_numbers("me", np.linspace(0, 1, 30))
