"""The paper's comparators: four noise-aware classifiers and two noise-tolerant online learners."""

from unflip.baselines.arow import AROWClassifier
from unflip.baselines.importance_reweighting import ImportanceReweightedLogisticRegression, ImportanceReweightedSVC
from unflip.baselines.label_dependent import LabelDependentSVC
from unflip.baselines.nherd import NHERDClassifier
from unflip.baselines.unbiased import UnbiasedLogisticRegression

__all__ = [
    "AROWClassifier",
    "ImportanceReweightedLogisticRegression",
    "ImportanceReweightedSVC",
    "LabelDependentSVC",
    "NHERDClassifier",
    "UnbiasedLogisticRegression",
]
