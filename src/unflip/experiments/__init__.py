"""Experiments: which method is better, how sure that is, and the tables and pictures that say so."""

from unflip.experiments.comparison import comparison
from unflip.experiments.jobs import Experiment
from unflip.experiments.paper_tables import table_2
from unflip.experiments.registry import add_dataset, add_method
from unflip.experiments.reproduce import run
from unflip.experiments.store import Store

__all__ = ["Experiment", "Store", "add_dataset", "add_method", "comparison", "run", "table_2"]
