"""The demonstration."""

import re
import subprocess
import sys
import time


def unflip(*arguments, cwd=None):
    command = [sys.executable, "-m", "unflip", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)


def test_the_demo_shows_rates_accuracies_and_found_flips_within_ten_seconds(tmp_path):
    start = time.perf_counter()
    done = unflip("demo", cwd=tmp_path)
    seconds = time.perf_counter() - start
    assert done.returncode == 0
    assert done.stderr == ""
    lines = [line for line in done.stdout.splitlines() if line.startswith(("tumors", "digits", "checkerboard"))]
    assert len(lines) == 9
    for line in lines:
        *_, plain, estimated, known = line.split()
        if "0.05 0.40" in line:  # where the rates differ most, correction helps on all three
            assert float(estimated) > float(plain) + 0.02
            assert float(known) > float(plain) + 0.02
    listed, flipped = map(int, re.search(r"(\d+) labels are flagged; (\d+) of them were flipped", done.stdout).groups())
    assert flipped > 0.7 * listed > 20
    assert {path.name for path in (tmp_path / "unflip-demo").iterdir()} == {
        "tumors.csv", "report.html", "issues.csv", "cleaned.csv", "audit.json",
    }  # fmt: skip
    assert seconds < 10 * 2  # twice the promise: tests share the machine
