"""The numbers printed in Tables 1 to 4 of Gao, Yang and Zhou."""

from __future__ import annotations

from importlib.resources import files

import pandas as pd


def printed_table(number: int) -> pd.DataFrame:
    """Return one of the paper's tables.

    Parameters
    ----------
    number : {1, 2, 3, 4}
        1 lists the data sets, 2 accuracies, 3 wins, ties and losses of RkNN, 4 estimated noise rates.

    Returns
    -------
    table : DataFrame
        One row per printed line or cell.

    Examples
    --------
    >>> printed_table(1).head(2)
             data  rows  columns
    0       heart   270       13
    1  ionosphere   351       34
    """
    return pd.read_csv(files("unflip.experiments.plan") / "printed_tables" / f"table{number}.csv")
