"""The command run inside the process of the tests: what a person types, and what comes back, without a new Python."""

import contextlib
import io
import os
import sys
from dataclasses import dataclass
from unittest import mock

from unflip.cli import run


@dataclass
class Done:
    returncode: int
    stdout: str
    stderr: str


def unflip(*arguments, cwd=None):
    """Run ``unflip`` with arguments, in a folder; warnings that Python would print end up on standard error."""
    out, err = io.StringIO(), io.StringIO()
    before = os.getcwd()
    os.chdir(cwd or before)
    try:
        with (
            mock.patch.object(sys, "argv", ["unflip", *map(str, arguments)]),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            try:
                run()
                code = 0
            except SystemExit as ended:
                code = ended.code or 0
    finally:
        os.chdir(before)
    return Done(code, out.getvalue(), err.getvalue())
