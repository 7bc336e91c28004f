"""The demonstration: labels of scikit-learn's data are flipped at known rates, trained on, audited, and found again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import minmax_scale

from unflip.audit import TableAudit, audit_table
from unflip.classifier import RobustKNeighborsClassifier
from unflip.cli.audit import about_suspect
from unflip.datasets import make_sine_product
from unflip.foundation.atomic_files import atomic_write
from unflip.noise import make_label_noise

NOISES = ((0.1, 0.3), (0.05, 0.4), (0.2, 0.2))
N_SPLITS = 2
AUDITED_NOISE = {"malignant": 0.1, "benign": 0.05}
SHOWN = 3


@dataclass(frozen=True)
class Row:
    """One line of the comparison: means over splits."""

    data: str
    true_rates: tuple[float, float]
    estimated_rates: tuple[float, float]
    accuracy_plain: float
    accuracy_estimated: float
    accuracy_known: float


def compare(seed: int = 0) -> list[Row]:
    """Return a row for each data set and noise."""
    return [_compare(name, X, y, noise, seed) for name, X, y in _data_sets(seed) for noise in NOISES]


def _data_sets(seed: int) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    X, y = load_breast_cancer(return_X_y=True)
    yield "tumors, malignant or benign", minmax_scale(X), y
    X, y = load_digits(n_class=6, return_X_y=True)
    yield "digits 0 to 5, even or odd", X, y % 2
    yield "checkerboard (synthetic)", *make_sine_product(1500, random_state=seed)


def _compare(name: str, X: np.ndarray, y: np.ndarray, noise: tuple[float, float], seed: int) -> Row:
    accuracies, rates = [], []
    for split in range(N_SPLITS):
        random_state = N_SPLITS * seed + split
        X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=random_state, stratify=y)
        noisy = make_label_noise(y_train, noise, random_state=random_state)
        models = [
            RobustKNeighborsClassifier(noise_rates=given, n_jobs=-1).fit(X_train, noisy)
            for given in (None, "estimate", noise)
        ]
        accuracies.append([model.score(X_test, y_test) for model in models])
        rates.append(models[1].noise_rates_)
    return Row(name, noise, tuple(np.mean(rates, axis=0)), *np.mean(accuracies, axis=0))


def show(rows: list[Row]) -> str:
    """Return the comparison as text."""
    lines = [
        "1. Training on flipped labels",
        "",
        "Labels of the first class are flipped at one rate, those of the second at another. Models train on the",
        f"flipped labels and are tested on clean ones. Accuracy, mean of {N_SPLITS} splits:",
        "",
        f"{'':29}{'flip rates':^24}{'accuracy':^33}",
        f"{'data':29}{'true':>11}{'estimated':>13}{'plain k-NN':>12}{'RkNN':>8}{'RkNN, rates known':>20}",
    ]
    for row in rows:
        true, estimated = (f"{first:.2f} {second:.2f}" for first, second in (row.true_rates, row.estimated_rates))
        lines.append(
            f"{row.data:29}{true:>11}{estimated:>13}"
            f"{row.accuracy_plain:12.3f}{row.accuracy_estimated:8.3f}{row.accuracy_known:20.3f}"
        )
    lines += [
        "",
        "RkNN moves the voting threshold by half the difference of the two rates, so it helps where they differ.",
    ]
    return "\n".join(lines)


def audit(folder: str | Path, seed: int = 0) -> str:
    """Flip labels of a table, audit it as ``unflip audit`` would, and return what to say."""
    folder = Path(folder)
    table = load_breast_cancer(as_frame=True).frame
    truth = table.pop("target").map({0: "malignant", 1: "benign"}).to_numpy()
    flipped = make_label_noise(truth, AUDITED_NOISE, random_state=seed)
    table.insert(0, "tumor", flipped)
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "tumors.csv"
    with atomic_write(source) as file:
        table.to_csv(file, index=False, lineterminator="\n")
    found = audit_table(source, "tumor", out=folder)
    return "\n".join(_about_audit(found, source, truth, flipped))


def _about_audit(found: TableAudit, source: Path, truth: np.ndarray, flipped: np.ndarray) -> Iterator[str]:
    wrong, flagged = flipped != truth, found.audit.issues_["is_label_issue"].to_numpy()
    yield "2. Finding the flipped labels"
    yield ""
    yield f"{wrong.sum()} labels of {source} are flipped: a tenth of malignant, a twentieth of benign ones."
    yield f"'unflip audit {source} --label tumor' does not know which, and finds:"
    yield ""
    yield str(found.audit.rates_)
    yield ""
    yield f"{flagged.sum()} labels are flagged; {(flagged & wrong).sum()} of them were flipped. The worst:"
    for suspect in found.document["suspects"][:SHOWN]:
        yield from about_suspect(suspect, found.document)
    yield ""
    right = np.mean(found.audit.clean_labels() == truth)
    yield f"{right:.1%} of the labels in {found.cleaned} are right, up from {np.mean(~wrong):.1%}."
    yield f"Open {found.report} to see all, or review them: unflip review {found.report.parent}"
