"""The demonstration: labels of shipped data flipped at known rates, learned from, audited, and found again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import minmax_scale

from unflip.classifier import RobustKNeighborsClassifier
from unflip.cli.audit import about_suspect, audit_file
from unflip.datasets import make_sine_product
from unflip.noise_model import make_label_noise
from unflip.whole_files import written_whole

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


def compare(seed=0):
    """Return a row for each data set and noise."""
    return [_compare(name, X, y, noise, seed) for name, X, y in _data_sets(seed) for noise in NOISES]


def _data_sets(seed):
    X, y = load_breast_cancer(return_X_y=True)
    yield "tumors, malignant or benign", minmax_scale(X), y
    X, y = load_digits(n_class=6, return_X_y=True)
    yield "digits 0 to 5, even or odd", X, y % 2
    yield "checkerboard (synthetic)", *make_sine_product(1500, random_state=seed)


def _compare(name, X, y, noise, seed):
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


def show(rows):
    """Return the comparison as text."""
    lines = [
        "1. Learning from flipped labels",
        "",
        "Labels of the first class are flipped at one rate, of the second at another. Learned from the flipped labels,",
        f"judged on clean ones: accuracy, the mean of {N_SPLITS} splits.",
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
        "RkNN moves the threshold of the vote by half the difference of the two rates: it helps where they differ.",
    ]
    return "\n".join(lines)


def audit(folder, seed=0):
    """Flip labels of a table, audit it as ``unflip audit`` would, and return what to say."""
    folder = Path(folder)
    table = load_breast_cancer(as_frame=True).frame
    truth = table.pop("target").map({0: "malignant", 1: "benign"}).to_numpy()
    flipped = make_label_noise(truth, AUDITED_NOISE, random_state=seed)
    table.insert(0, "tumor", flipped)
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "tumors.csv"
    with written_whole(source) as file:
        table.to_csv(file, index=False, lineterminator="\n")
    found, document, files = audit_file(source, "tumor", out=folder)
    return "\n".join(_about_audit(found, document, files, source, truth, flipped))


def _about_audit(found, document, files, source, truth, flipped):
    wrong, flagged = flipped != truth, found.issues_["is_label_issue"].to_numpy()
    yield "2. Finding the flipped labels"
    yield ""
    yield f"{wrong.sum()} labels of {source} are flipped: a tenth of malignant, a twentieth of benign ones. What"
    yield f"'unflip audit {source} --label tumor' finds, without knowing which:"
    yield ""
    yield str(found.rates_)
    yield ""
    yield f"{flagged.sum()} labels are listed; {(flagged & wrong).sum()} of them were flipped. The worst of them:"
    for suspect in document["suspects"][:SHOWN]:
        yield from about_suspect(suspect, document)
    yield ""
    right = np.mean(found.clean_labels() == truth)
    yield f"{right:.1%} of the labels of {files[2]} are right; {np.mean(~wrong):.1%} were before."
    yield f"To see all, open {files[0]}; to go through them: unflip review {files[0].parent}"
