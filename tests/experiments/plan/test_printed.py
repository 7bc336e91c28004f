"""The paper's tables as they are printed."""

import pytest

from unflip.experiments.plan.printed import printed_table
from unflip.experiments.plan.registry import METHODS


def test_the_printed_tables_are_whole():
    assert len(printed_table(1)) == 20
    assert len(printed_table(2)) == 20 * 3 * 8
    assert len(printed_table(4)) == 20 * 3
    assert set(printed_table(2)["method"]) <= set(METHODS)
    wins = printed_table(3).set_index("method")["t_test_win"]
    assert wins["IR-KSVM"] == 35


def test_every_cell_of_table_2_and_4_is_printed_once():
    cell = ["data", "tau_plus", "tau_minus"]
    assert not printed_table(2).duplicated([*cell, "method"]).any()
    assert not printed_table(4).duplicated(cell).any()
    assert not printed_table(2).isna().any(axis=None)


@pytest.mark.parametrize("test", ["t_test", "bayes"])
def test_the_printed_verdicts_of_each_method_add_up_to_60_cells(test):
    verdicts = printed_table(3)[[f"{test}_{verdict}" for verdict in ("win", "tie", "loss")]]
    assert verdicts.sum(axis=1).tolist() == [60] * 7
