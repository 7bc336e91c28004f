"""Experiments: run methods on data sets, test which differ, and write the tables and figures."""

from unflip.experiments.plan.jobs import Experiment
from unflip.experiments.plan.registry import add_dataset, add_method
from unflip.experiments.runs.running import run
from unflip.experiments.runs.store import Store
from unflip.experiments.statistics.comparison import comparison
from unflip.experiments.tables.paper_tables import table_2

__all__ = ["Experiment", "Store", "add_dataset", "add_method", "comparison", "run", "table_2"]
