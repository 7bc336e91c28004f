"""The catalog against the files and the paper's Table 1."""

import numpy as np
import pytest

from unflip.datasets import CATALOG, DatasetError, DatasetMissing, load_raw
from unflip.datasets.catalog import dataset_named
from unflip.datasets.files import checksum, format_labels

TABLE_1 = {
    "heart": (270, 13), "ionosphere": (351, 34), "housing": (506, 13), "cancer": (683, 10), "diabetes": (768, 8),
    "vehicle": (846, 18), "fourclass": (862, 2), "german": (1000, 24), "splice": (1000, 60), "optdigits": (1143, 42),
    "segment": (2310, 19), "landsat": (6435, 36), "mushroom": (8124, 112), "usps": (9298, 256),
    "pendigits": (10992, 16), "letter": (15000, 16), "magic04": (19020, 10), "w8a": (49749, 300),
    "shuttle": (58000, 9), "acoustic": (78823, 50),
}  # fmt: skip
CHECKED = [name for name, dataset in CATALOG.items() if dataset.sha256]


def test_the_catalog_is_the_papers_table_1():
    assert {name: dataset.shape for name, dataset in CATALOG.items()} == TABLE_1


def test_class_counts_add_up_to_the_rows():
    for name, dataset in CATALOG.items():
        if name in ("housing", "acoustic"):  # a price; not recorded
            assert dataset.class_counts == {}
        else:
            assert sum(dataset.class_counts.values()) == dataset.shape[0], name


def test_all_but_acoustic_have_a_checksum():
    assert set(CATALOG) - set(CHECKED) == {"acoustic"}


@pytest.mark.parametrize("name", CHECKED)
def test_a_file_has_the_shape_class_counts_and_checksum_of_the_catalog(benchmark_data, name):
    X, y = load_raw(name, data_home=benchmark_data)
    dataset = CATALOG[name]
    assert X.shape == dataset.shape
    assert X.dtype == float
    assert checksum(X, y) == dataset.sha256
    if dataset.class_counts:
        classes, counts = np.unique(format_labels(y), return_counts=True)
        assert dict(zip(classes.tolist(), counts.tolist(), strict=True)) == dataset.class_counts


def test_acoustic_says_that_it_is_missing(tmp_path):
    with pytest.raises(DatasetMissing, match=r"acoustic: there is no acoustic\.csv\.gz"):
        load_raw("acoustic", data_home=tmp_path)


@pytest.mark.parametrize(
    ("misspelt", "hint"),
    [
        ("hart", "did you mean 'heart'?"),
        ("Heart", "did you mean 'heart'?"),
        ("mushrooms", "did you mean 'mushroom'?"),
        ("magic", "did you mean 'magic04'?"),
        ("zzz", "there are heart, ionosphere, "),
        (3, "there are heart, ionosphere, "),
        (["heart"], "There is no data set ['heart']"),
    ],
)
def test_a_misspelt_name_gets_the_nearest(misspelt, hint):
    with pytest.raises(DatasetError) as refused:
        dataset_named(misspelt)
    assert hint in str(refused.value)
