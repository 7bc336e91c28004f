"""RobustKNeighborsClassifier: nearest neighbors that correct for flipped labels; NoiseCorrectedClassifier: any model.

`classifier` is the estimator; `learning` is what fit learns off one graph, by the rules in `selection`; `explanation`
puts a prediction into words. `noise_corrected` is the other estimator, `corrections` what its models learn from.
"""

from unflip.classifier.classifier import RobustKNeighborsClassifier
from unflip.classifier.explanation import Explanation
from unflip.classifier.noise_corrected import NoiseCorrectedClassifier
from unflip.classifier.selection import Selection

__all__ = ["Explanation", "NoiseCorrectedClassifier", "RobustKNeighborsClassifier", "Selection"]
