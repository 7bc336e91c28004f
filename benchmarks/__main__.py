"""Run benchmarks by name, each in its own process, because libraries with thread pools slow each other down."""

import argparse
import ast
import subprocess
import sys
from pathlib import Path

SUPPORT_MODULES = ("__init__", "__main__", "timing", "noise_problems")
FILES = {path.stem: path for path in sorted(Path(__file__).parent.glob("*.py")) if path.stem not in SUPPORT_MODULES}


def summary(path):
    """Return the first line of a module's docstring, without importing it."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return docstring.split("\n")[0]


def main():
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Run benchmarks that compare several methods in one run.",
        epilog="benchmarks:\n" + "\n".join(f"  {name:14} {summary(path)}" for name, path in FILES.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmarks to run (default: all)")
    chosen = parser.parse_args().names
    unknown = [name for name in chosen if name not in FILES]
    if unknown:
        parser.error(f"no benchmark {unknown[0]!r}; choose from {', '.join(FILES)}")
    for name in chosen or FILES:
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=True)


if __name__ == "__main__":
    main()
