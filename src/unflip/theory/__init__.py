"""The paper's theorems as functions, the regions they refer to, and a distribution with exact answers.

Beyond the paper, cited and not implemented: Reeve and Kaban ("Fast Rates for a kNN Classifier Robust to Unknown
Asymmetric Label Noise", ICML 2019) on minimax rates where the noise must be estimated; Cannings, Fan and Samworth
("Classification with imperfect training labels", Biometrika 2020) on what label noise costs k-NN asymptotically.
"""

from unflip.theory.bounds import hard_margin, knn_bound, robust_knn_bound, robust_knn_limit_bound
from unflip.theory.regions import in_hard_region, integrated_mass, sampled_mass
from unflip.theory.sine_product import SineProduct
from unflip.theory.symmetric_bounds import one_nn_bounds, symmetric_knn_bound

__all__ = [
    "SineProduct",
    "hard_margin",
    "in_hard_region",
    "integrated_mass",
    "knn_bound",
    "one_nn_bounds",
    "robust_knn_bound",
    "robust_knn_limit_bound",
    "sampled_mass",
    "symmetric_knn_bound",
]
