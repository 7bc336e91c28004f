"""Servers for the tests: in a separate process, as a user starts it, or faster in a thread."""

import os
import re
import subprocess
import sys
from contextlib import closing, contextmanager
from threading import Thread
from urllib.parse import urlsplit

import httpx

from unflip.review.app import make_app
from unflip.review.desk import Desk
from unflip.review.serving import listening, make_server


class Address:
    """The port and token of a running server."""

    def __init__(self, port, token):
        self.port = port
        self.token = token
        self.address = f"http://127.0.0.1:{port}/#token={token}"

    def client(self):
        headers = {"X-Unflip-Token": self.token}
        return httpx.Client(base_url=f"http://127.0.0.1:{self.port}", headers=headers, trust_env=False, timeout=30)


class Process(Address):
    """A running 'unflip review'."""

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
        parts = urlsplit(found[0])
        super().__init__(parts.port, parts.fragment.removeprefix("token="))

    def end(self, how="terminate"):
        if self.process.poll() is None:
            getattr(self.process, how)()
        out, err = self.process.communicate(timeout=30)
        return out, err


@contextmanager
def served(folder, *arguments):
    server = Process(folder, *arguments)
    try:
        yield server
    finally:
        server.end("kill")


@contextmanager
def served_here(folder):
    """Serve in a thread: faster, for tests that are not about starting and ending a process."""
    token = "token-of-the-test"
    with closing(Desk(folder)) as desk, listening(0) as listener:
        port = listener.getsockname()[1]
        server = make_server(make_app(desk, port=port, token=token))
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield Address(port, token)
        finally:
            server.should_exit = True
            thread.join()
