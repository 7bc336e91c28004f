"""Time of a whole audit, with and without its report, against cleanlab's Datalab on the same features."""

import tempfile
import warnings

import numpy as np

from benchmarks.timing import best_times, clustered
from unflip import LabelAudit, make_label_noise
from unflip.foundation.optional import optional

ROWS, COLUMNS, CLASSES = 20_000, 16, 4


def main():
    cleanlab = optional("cleanlab", "bench", "benchmarks.audit_times")
    X = clustered(ROWS, COLUMNS)
    groups = np.argmin(((X[:, None, :] - X[:50][None]) ** 2).sum(axis=2), axis=1) % CLASSES
    labels = make_label_noise(groups, 0.1, random_state=0)
    LabelAudit().fit(X, labels)  # compile before timing
    ways = {
        "unflip, scores and rates": lambda: LabelAudit().fit(X, labels),
        "unflip, with report": lambda: _with_report(X, labels),
        "cleanlab Datalab, label issues": lambda: _datalab(cleanlab.Datalab, X, labels),
    }
    times = best_times(ways, repeats=2)
    theirs = times["cleanlab Datalab, label issues"]
    print(f"audit of {ROWS:,} rows x {COLUMNS} columns, {CLASSES} classes")
    for name, seconds in times.items():
        print(f"  {name:32}{seconds:8.2f} s   ratio {seconds / theirs:.3f}")


def _with_report(X, labels):
    with tempfile.TemporaryDirectory() as folder:
        LabelAudit().fit(X, labels).write_html(f"{folder}/report.html")


def _datalab(Datalab, X, labels):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lab = Datalab({"label": labels}, label_name="label", verbosity=0)
        lab.find_issues(features=X, issue_types={"label": {}})


if __name__ == "__main__":
    main()
