"""A server as a process of its own, as a person starts it; ended by its own id."""

import os
import re
import subprocess
import sys
from contextlib import contextmanager
from urllib.parse import urlsplit

import httpx


class Served:
    """A running 'unflip review': its process, address and token."""

    def __init__(self, folder, *arguments):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "unflip", "review", str(folder), "--no-open", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        self.first_line = self.process.stdout.readline()
        found = re.search(r"http://\S+", self.first_line)
        assert found, self.first_line + self.process.stderr.read()
        self.address = found[0]
        self.port = urlsplit(self.address).port
        self.token = urlsplit(self.address).fragment.removeprefix("token=")

    def client(self, **headers):
        sent = {"X-Unflip-Token": self.token} | headers
        return httpx.Client(base_url=f"http://127.0.0.1:{self.port}", headers=sent, trust_env=False, timeout=30)

    def end(self, how="terminate"):
        if self.process.poll() is None:
            getattr(self.process, how)()
        out, err = self.process.communicate(timeout=30)
        return out, err


@contextmanager
def served(folder, *arguments):
    server = Served(folder, *arguments)
    try:
        yield server
    finally:
        server.end("kill")
