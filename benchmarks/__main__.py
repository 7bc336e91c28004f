"""Run benchmarks by name, each in a process of its own: libraries with threads of their own slow each other down."""

import subprocess
import sys
from pathlib import Path

NO_BENCHMARKS = ("__init__", "__main__", "timing", "noise_problems")
NAMES = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in NO_BENCHMARKS)


def main(chosen):
    unknown = [name for name in chosen if name not in NAMES]
    if unknown:
        sys.exit(f"benchmarks: no benchmark {unknown[0]!r}; there are {', '.join(NAMES)}")
    for name in chosen or NAMES:
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
