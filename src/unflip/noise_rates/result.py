"""NoiseRates: how often the labels of each class are wrong, with intervals, as a value that prints and plots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unflip.foundation.optional import optional
from unflip.foundation.text import percent
from unflip.noise.posterior import invertible_or_identity
from unflip.noise.transition import NoiseModel
from unflip.noise_rates.identifiability import find_notes


@dataclass(frozen=True, eq=False)
class NoiseRates:
    """How often labels are flipped, and how certain that is.

    Parameters
    ----------
    classes : ndarray of shape (n_classes,)
        The labels, sorted.
    transition_matrix : ndarray of shape (n_classes, n_classes)
        ``T[true, observed]``.
    rates : ndarray of shape (n_classes,)
        Share of each class's labels that were flipped to another class.
    interval : ndarray of shape (n_classes, 2)
        Lower and upper end of an interval of each rate.
    class_prior : ndarray of shape (n_classes,)
        Frequencies of the true classes.
    noise_estimator : str
        The estimator that was asked for, or "given" where the rates were known.
    identifiable : bool
        Whether the data determine the rates; if not, the notes say why.
    notes : tuple of str
        What to keep in mind, in sentences.
    confidence : float
        Of the intervals.
    n_samples : int
        Number of labels.
    alternatives : dict
        Rates by other estimators, {name: ndarray of shape (n_classes,)}.
    wrong : tuple of float or None, default=None
        The share of all labels that are wrong, and the ends of its interval, where an estimator says so itself.

    See Also
    --------
    estimate_noise_rates : Makes one from rows and labels.
    """

    classes: np.ndarray
    transition_matrix: np.ndarray
    rates: np.ndarray
    interval: np.ndarray
    class_prior: np.ndarray
    noise_estimator: str
    identifiable: bool
    notes: tuple[str, ...]
    confidence: float
    n_samples: int
    alternatives: dict[str, np.ndarray]
    wrong: tuple[float, float, float] | None = None

    @property
    def share_wrong(self) -> float:
        """Share of all labels that are wrong."""
        return float(self.rates @ self.class_prior) if self.wrong is None else self.wrong[0]

    @property
    def share_interval(self) -> tuple[float, float]:
        """Interval of that share; without one of its own, the rates at the ends of their intervals."""
        if self.wrong is not None:
            return self.wrong[1:]
        low, high = self.class_prior @ self.interval
        return float(low), float(high)

    @property
    def method(self) -> str:
        """Another name of ``noise_estimator``."""
        return self.noise_estimator

    def to_dict(self) -> dict[str, Any]:
        """Return everything as lists, numbers and strings, ready for JSON."""
        return {
            "classes": self.classes.tolist(),
            "transition_matrix": self.transition_matrix.tolist(),
            "rates": self.rates.tolist(),
            "interval": self.interval.tolist(),
            "class_prior": self.class_prior.tolist(),
            "share_wrong": self.share_wrong,
            "share_interval": list(self.share_interval),
            "noise_estimator": self.noise_estimator,
            "identifiable": self.identifiable,
            "notes": list(self.notes),
            "confidence": self.confidence,
            "n_samples": self.n_samples,
            "alternatives": {name: rates.tolist() for name, rates in self.alternatives.items()},
        }

    def __str__(self) -> str:
        names = [str(name) for name in self.classes]
        width = max(5, *(len(name) for name in names))
        head = f"  {'class':{width}}  {'wrong':>6}   {f'{self.confidence:.0%} interval':^16}  true share"
        many = len(names) > 2
        lines = [
            self.headline,
            "",
            head + ("   mostly to" if many else ""),
        ]
        for c, name in enumerate(names):
            low, high = self.interval[c]
            line = f"  {name:{width}}  {self.rates[c]:6.1%}   {low:6.1%} to {high:6.1%}  {self.class_prior[c]:10.1%}"
            if many:
                target = self._most_common_flip(c)
                line += f"   {names[target]} ({self.transition_matrix[c, target]:.1%})"
            lines.append(line)
        return "\n".join([*lines, *(f"\nNote: {note}" for note in self.notes)])

    @property
    def headline(self) -> str:
        """How many labels are wrong, in a sentence: a number where the data determine it, else a range."""
        low, high = self.share_interval
        if not self.identifiable:
            return f"Between {percent(low)} and {percent(high)} of {self.n_samples:,} labels are wrong."
        reach = "" if low == high else f" ({percent(low)} to {percent(high)})"
        share = percent(self.share_wrong)
        about = f"Fewer than {share[1:]}" if share.startswith("<") else f"About {share}"
        return f"{about}{reach} of {self.n_samples:,} labels are wrong."

    def _most_common_flip(self, c: int) -> int:
        others = self.transition_matrix[c].copy()
        others[c] = -1
        return int(others.argmax())

    def plot(self, ax: Any = None) -> Any:
        """Plot each class's rate and interval, and the other estimators' rates beside it.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            Axes to plot on; a new figure if None.

        Returns
        -------
        ax : matplotlib Axes
            With the plot.
        """
        pyplot = optional("matplotlib.pyplot", "plot", "NoiseRates.plot")
        if ax is None:
            _, ax = pyplot.subplots(figsize=(7, 1.2 + 0.5 * len(self.classes)), layout="constrained")
        place = np.arange(len(self.classes))[::-1]
        for marker, (name, rates) in zip("v^sDPX*h", self.alternatives.items(), strict=False):
            ax.plot(rates, place, marker, color="0.6", markersize=5, label=name, zorder=1)
        ax.hlines(place, *self.interval.T, color="C0", linewidth=5, alpha=0.35, zorder=2)
        ax.plot(
            self.rates,
            place,
            "o",
            color="C0",
            label=f"{self.noise_estimator}, {self.confidence:.0%} interval",
            zorder=3,
        )
        ax.set_yticks(place, [str(name) for name in self.classes])
        ax.set_ylim(-0.6, len(self.classes) - 0.4)
        ax.set_xlim(left=0)
        ax.set_xlabel("share of labels that are wrong")
        ax.spines[["top", "right"]].set_visible(False)
        ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, fontsize="small")
        return ax


def make_noise_rates(
    noise: NoiseModel,
    labels: np.ndarray,
    intervals: np.ndarray,
    *,
    noise_estimator: str,
    confidence: float,
    posterior_intervals: np.ndarray | None = None,
    alternatives: Mapping[str, np.ndarray] | None = None,
    notes: Sequence[str] | None = None,
    wrong: tuple[float, float, float] | None = None,
) -> NoiseRates:
    """Return the rates of a noise model as a value, whoever estimated them.

    Shrinkage, or the choice of a difference for decisions, can move an estimate outside its marginal interval; the
    interval is widened to hold it.

    Parameters
    ----------
    noise : NoiseModel
        Classes and T, which need not be invertible.
    labels : ndarray of int
        Observed class numbers.
    intervals : ndarray of shape (n_classes, 2)
        Of each rate.
    noise_estimator : str
        By whom.
    confidence : float
        Of the intervals.
    posterior_intervals : ndarray of shape (n_classes, 2) or None, default=None
        What identifiability is judged by; None means the intervals.
    alternatives : mapping or None, default=None
        Rates by other estimators.
    notes : sequence of str or None, default=None
        In place of those on identifiability.
    wrong : tuple of float or None, default=None
        The share of all labels that are wrong, and the ends of its interval.

    Returns
    -------
    noise_rates : NoiseRates
        The value.
    """
    rates = noise.rates
    observed = np.bincount(labels, minlength=len(noise.classes)) / len(labels)
    correctable = NoiseModel(noise.classes, invertible_or_identity(noise.transition_matrix))
    if notes is None:
        notes = find_notes(noise.classes, rates, intervals if posterior_intervals is None else posterior_intervals)
    return NoiseRates(
        classes=noise.classes,
        transition_matrix=noise.transition_matrix,
        rates=rates,
        interval=np.column_stack([np.minimum(intervals[:, 0], rates), np.maximum(intervals[:, 1], rates)]),
        class_prior=correctable.clean_prior(observed),
        noise_estimator=noise_estimator,
        identifiable=not notes,
        notes=tuple(notes),
        confidence=float(confidence),
        n_samples=len(labels),
        alternatives=dict(alternatives or {}),
        wrong=wrong,
    )
