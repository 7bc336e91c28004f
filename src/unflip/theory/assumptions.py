"""The assumptions of the theorems on their parameters; each check refuses a violation in one sentence."""

from __future__ import annotations

import math
from typing import Any

from unflip.foundation.checks import check_count, check_positive, is_integer, is_number
from unflip.foundation.errors import refusal


def check_number(owner: str, parameter: str, value: Any, *, low: float, high: float, accepted: str) -> None:
    """Refuse anything but a number from low to high, both included."""
    if not is_number(value) or not low <= value <= high:
        raise refusal(owner, parameter, accepted, value)


def check_rates(owner: str, tau_plus: Any, tau_minus: Any) -> None:
    """Refuse rates outside of [0, 1), or whose sum leaves nothing to learn."""
    for parameter, rate in (("tau_plus", tau_plus), ("tau_minus", tau_minus)):
        check_number(owner, parameter, rate, low=0, high=math.nextafter(1, 0), accepted="a rate in [0, 1)")
    if tau_plus + tau_minus >= 1:
        accepted = "below 1 (from there on the labels say nothing, or the opposite)"
        raise refusal(owner, "tau_plus + tau_minus", accepted, tau_plus + tau_minus)


def check_symmetric_rate(owner: str, tau: Any) -> None:
    """Refuse anything but a rate below one half."""
    check_number(owner, "tau", tau, low=0, high=math.nextafter(0.5, 0), accepted="a rate in [0, 1/2)")


def check_margin(owner: str, margin: Any) -> None:
    """Refuse anything but a finite number >= 0."""
    check_number(owner, "margin", margin, low=0, high=math.nextafter(math.inf, 0), accepted="a finite number >= 0")


def check_sample(owner: str, n: Any, k: Any, *, min_neighbors: int = 1) -> None:
    """Refuse a sample smaller than the number of neighbors; an infinite one is the limit."""
    if not is_integer(k) or k < min_neighbors:
        raise refusal(owner, "k", f"an integer >= {min_neighbors}", k)
    if n != math.inf and (not is_integer(n) or n < k):
        raise refusal(owner, "n", f"an integer >= k = {k}, or infinity for the limit", n)


def check_smoothness(owner: str, d: Any, lipschitz: Any) -> None:
    """Refuse a dimension or a Lipschitz constant that no posterior on the unit cube has."""
    check_count(owner, "d", d)
    check_positive(owner, "lipschitz", lipschitz)


def check_bayes_error(owner: str, bayes_error: Any) -> None:
    """Refuse an error above 1/2, which some constant prediction would beat."""
    check_number(owner, "bayes_error", bayes_error, low=0, high=0.5, accepted="a number in [0, 1/2]")
