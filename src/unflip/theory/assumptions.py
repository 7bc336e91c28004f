"""What every theorem assumes of its numbers, each refused in one sentence where it fails."""

from __future__ import annotations

import math
import numbers

from unflip.foundation.checks import check_count, check_positive, is_integer
from unflip.foundation.errors import refusal


def check_number(owner, parameter, value, *, low, high, accepted):
    """Refuse anything but a number from low to high, both included."""
    if not isinstance(value, numbers.Real) or isinstance(value, bool) or not low <= value <= high:
        raise refusal(owner, parameter, accepted, value)


def check_rates(owner, tau_plus, tau_minus):
    """Refuse rates that are no chances, or that together leave nothing to learn."""
    for parameter, rate in (("tau_plus", tau_plus), ("tau_minus", tau_minus)):
        check_number(owner, parameter, rate, low=0, high=math.nextafter(1, 0), accepted="a rate in [0, 1)")
    if tau_plus + tau_minus >= 1:
        accepted = "below 1 (from there on the labels say nothing, or the opposite)"
        raise refusal(owner, "tau_plus + tau_minus", accepted, tau_plus + tau_minus)


def check_symmetric_rate(owner, tau):
    """Refuse anything but a rate below one half."""
    check_number(owner, "tau", tau, low=0, high=math.nextafter(0.5, 0), accepted="a rate in [0, 1/2)")


def check_margin(owner, margin):
    """Refuse anything but a finite number from zero."""
    check_number(owner, "margin", margin, low=0, high=math.nextafter(math.inf, 0), accepted="a finite number >= 0")


def check_sample(owner, n, k, *, fewest_neighbors=1):
    """Refuse a sample smaller than the number of neighbors; an infinite one is the limit."""
    if not is_integer(k) or k < fewest_neighbors:
        raise refusal(owner, "k", f"an integer >= {fewest_neighbors}", k)
    if n != math.inf and (not is_integer(n) or n < k):
        raise refusal(owner, "n", f"an integer >= k = {k}, or infinity for the limit", n)


def check_smoothness(owner, d, lipschitz):
    """Refuse a dimension or a Lipschitz constant that no posterior on the unit cube has."""
    check_count(owner, "d", d)
    check_positive(owner, "lipschitz", lipschitz)


def check_bayes_error(owner, bayes_error):
    """Refuse an error that some constant prediction would undercut."""
    check_number(owner, "bayes_error", bayes_error, low=0, high=0.5, accepted="a number in [0, 1/2]")
