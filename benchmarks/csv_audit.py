"""Time by stage and peak memory of 'unflip audit' on a CSV file of a million rows, the neighbors alone judging."""

import argparse
import os
import pty
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from unflip import make_label_noise

CLUSTERS = 50
COMPILING_ROWS = 2000  # audited first, so that nothing is compiled while the clock runs
UNFLIP = (sys.executable, "-c", "from unflip.cli import run; run()")
STAGE = re.compile(r"\r([^\r\n]*) \.\.\. ([\d.]+ s) *\r?\n")


def write_table(path, n_rows):
    """Write 6 columns of numbers, 2 of whole numbers, a category and a label: clusters of two classes, 5 % flipped."""
    random = np.random.default_rng(0)
    group = random.integers(CLUSTERS, size=n_rows)
    centers = 3 * random.normal(size=(CLUSTERS, 6))
    table = pd.DataFrame((centers[group] + 0.5 * random.normal(size=(n_rows, 6))).round(4)).add_prefix("x")
    table["count"] = random.poisson(3 + group % 7)
    table["age"] = 20 + group % 40 + random.integers(9, size=n_rows)
    table["color"] = np.array(["red", "blue", "green", "amber", "violet"])[(group + (random.random(n_rows) < 0.2)) % 5]
    table["label"] = make_label_noise(np.array(["cat", "dog"])[group % 2], 0.05, random_state=0)
    table.to_csv(path, index=False)


def audit(path):
    """Run the command with a terminal as its standard error; return its seconds and what the terminal shows."""
    reading, terminal = pty.openpty()
    start = time.perf_counter()
    command = [*UNFLIP, "audit", path.name, "--label", "label", "--model", "neighbors"]
    with subprocess.Popen(command, cwd=path.parent, stdout=subprocess.DEVNULL, stderr=terminal) as process:
        os.close(terminal)
        shown = b"".join(pieces(reading))
    os.close(reading)
    if process.returncode:
        sys.exit(shown.decode())
    return time.perf_counter() - start, shown.decode()


def pieces(reading):
    """Yield what is written to a terminal until nobody can write any more."""
    try:
        while piece := os.read(reading, 1024):
            yield piece
    except OSError:  # Linux says so when the last writer is gone
        return


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks csv_audit")
    parser.add_argument("--rows", type=int, default=1_000_000)
    n_rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in (("small.csv", COMPILING_ROWS), ("table.csv", n_rows)):
            write_table(Path(folder) / name, rows)
            seconds, shown = audit(Path(folder) / name)
        megabytes = (Path(folder) / "table.csv").stat().st_size / 1e6
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e9  # kilobytes on Linux
    print(f"unflip audit --model neighbors, {n_rows:,} rows x 10 columns, {megabytes:.0f} MB of CSV")
    for stage, stage_seconds in STAGE.findall(shown):
        print(f"  {stage:48}{stage_seconds:>10}")
    print(f"  {'all, with starting Python':48}{seconds:>8.1f} s\n  {'peak resident memory':48}{peak:>8.2f} GB")


if __name__ == "__main__":
    main()
