"""RobustKNeighborsClassifier: nearest neighbors that correct for flipped labels.

`classifier` is the estimator; `learning` is what fit learns off one graph, by the rules in `selection`; `explanation`
puts a prediction into words.
"""

from unflip.classifier.classifier import RobustKNeighborsClassifier
from unflip.classifier.explanation import Explanation
from unflip.classifier.selection import Selection

__all__ = ["Explanation", "RobustKNeighborsClassifier", "Selection"]
