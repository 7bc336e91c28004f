"""The numbers printed in Tables 1 to 4 of Gao, Yang and Zhou, to stand beside ours."""

from __future__ import annotations

from importlib.resources import files

import pandas as pd


def printed_table(number):
    """Return a table of the paper: 1 data sets, 2 accuracies, 3 win/tie/loss of RkNN, 4 estimated noise rates.

    >>> printed_table(1).head(2)
             data  rows  columns
    0       heart   270       13
    1  ionosphere   351       34
    """
    return pd.read_csv(files("unflip.experiments.plan") / "printed_tables" / f"table{number}.csv")
