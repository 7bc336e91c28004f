"""NoiseRates: how often the labels of each class are wrong, with intervals, as a value that prints and plots."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unflip.validation import optional


@dataclass(frozen=True, eq=False)
class NoiseRates:
    """How often labels are flipped, and how sure that is.

    Parameters
    ----------
    classes : ndarray of shape (n_classes,)
        The labels, sorted.
    transition_matrix : ndarray of shape (n_classes, n_classes)
        ``T[true, observed]``.
    rates : ndarray of shape (n_classes,)
        The share of each class whose label was flipped to another.
    interval : ndarray of shape (n_classes, 2)
        The ends of an interval of each rate.
    class_prior : ndarray of shape (n_classes,)
        Frequencies of the true classes.
    method : str
        The estimator that was asked for.
    identifiable : bool
        Whether these labels and columns pin the rates down; if not, notes say why.
    notes : tuple of str
        What to keep in mind, in words.
    confidence : float
        Of the intervals.
    n_samples : int
        The number of labels.
    alternatives : dict
        The rates by other estimators, {name: ndarray of shape (n_classes,)}.

    See Also
    --------
    estimate_noise_rates : Makes one from rows and labels.
    """

    classes: np.ndarray
    transition_matrix: np.ndarray
    rates: np.ndarray
    interval: np.ndarray
    class_prior: np.ndarray
    method: str
    identifiable: bool
    notes: tuple[str, ...]
    confidence: float
    n_samples: int
    alternatives: dict[str, np.ndarray]

    @property
    def share_wrong(self):
        """The share of all labels that are wrong."""
        return float(self.rates @ self.class_prior)

    def to_dict(self):
        """Return everything as lists, numbers and strings, ready for JSON."""
        return {
            "classes": self.classes.tolist(),
            "transition_matrix": self.transition_matrix.tolist(),
            "rates": self.rates.tolist(),
            "interval": self.interval.tolist(),
            "class_prior": self.class_prior.tolist(),
            "share_wrong": self.share_wrong,
            "method": self.method,
            "identifiable": self.identifiable,
            "notes": list(self.notes),
            "confidence": self.confidence,
            "n_samples": self.n_samples,
            "alternatives": {name: rates.tolist() for name, rates in self.alternatives.items()},
        }

    def __str__(self):
        names = [str(name) for name in self.classes]
        width = max(5, *(len(name) for name in names))
        head = f"  {'class':{width}}  {'wrong':>6}   {f'{self.confidence:.0%} interval':^16}  true share"
        many = len(names) > 2
        lines = [
            f"About {self.share_wrong:.0%} of {self.n_samples:,} labels are wrong.",
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

    def _most_common_flip(self, c):
        others = self.transition_matrix[c].copy()
        others[c] = -1
        return int(others.argmax())

    def plot(self, ax=None):
        """Draw each class's rate and interval, and the other estimators' rates beside it.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            Where to draw; a new figure if None.

        Returns
        -------
        ax : matplotlib Axes
            With the drawing.
        """
        pyplot = optional("matplotlib.pyplot", "plot", "NoiseRates.plot")
        if ax is None:
            _, ax = pyplot.subplots(figsize=(7, 1.2 + 0.5 * len(self.classes)), layout="constrained")
        place = np.arange(len(self.classes))[::-1]
        for marker, (name, rates) in zip("v^sDPX*", self.alternatives.items(), strict=False):
            ax.plot(rates, place, marker, color="0.6", markersize=5, label=name, zorder=1)
        ax.hlines(place, *self.interval.T, color="C0", linewidth=5, alpha=0.35, zorder=2)
        ax.plot(self.rates, place, "o", color="C0", label=f"{self.method}, {self.confidence:.0%} interval", zorder=3)
        ax.set_yticks(place, [str(name) for name in self.classes])
        ax.set_ylim(-0.6, len(self.classes) - 0.4)
        ax.set_xlim(left=0)
        ax.set_xlabel("share of labels that are wrong")
        ax.spines[["top", "right"]].set_visible(False)
        ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, fontsize="small")
        return ax
