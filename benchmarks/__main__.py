"""Run benchmarks by name, each in its own process, because libraries with thread pools slow each other down."""

import argparse
import ast
import subprocess
import sys
from pathlib import Path

SUPPORT_MODULES = ("__init__", "__main__", "timing", "noise_problems", "cells", "cleanlab_rivals", "other_rankings")
FILES = {path.stem: path for path in sorted(Path(__file__).parent.glob("*.py")) if path.stem not in SUPPORT_MODULES}


def summary(path):
    """Return the first line of a module's docstring, without importing it."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return docstring.split("\n")[0]


def split_options(arguments):
    """Return the names, and the options behind them; options without a name before them are our own."""
    n_names = next((i for i, text in enumerate(arguments) if text.startswith("-")), len(arguments))
    return (arguments[:n_names], arguments[n_names:]) if n_names else (arguments, [])


def main():
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        usage="%(prog)s [-h] [NAME ...] [OPTIONS]",
        description="Run benchmarks that compare several methods in one run.",
        epilog="benchmarks:\n" + "\n".join(f"  {name:16} {summary(path)}" for name, path in FILES.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmarks to run (default: all); they get OPTIONS")
    names, passed = split_options(sys.argv[1:])
    chosen = parser.parse_args(names).names
    unknown = [name for name in chosen if name not in FILES]
    if unknown:
        parser.error(f"no benchmark {unknown[0]!r}; choose from {', '.join(FILES)}")
    for name in chosen or FILES:
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}", *passed], check=True)


if __name__ == "__main__":
    main()
