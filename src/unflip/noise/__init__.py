"""How labels are flipped: the transition matrix, and what it does to labels and posteriors."""

from unflip.noise.flipping import make_label_noise
from unflip.noise.posterior import clean_posterior, corrupted_posterior, decision_threshold
from unflip.noise.transition import NoiseModel

__all__ = ["NoiseModel", "clean_posterior", "corrupted_posterior", "decision_threshold", "make_label_noise"]
