"""Other ways to learn from wrong labels, to compare with."""

from unflip.baselines.arow import AROWClassifier
from unflip.baselines.nherd import NHERDClassifier

__all__ = ["AROWClassifier", "NHERDClassifier"]
