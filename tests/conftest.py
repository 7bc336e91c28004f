"""Where the tests find each other, the benchmark data and a browser."""

import os
import pathlib
import shutil

import pytest


@pytest.fixture
def benchmark_data():
    folder = os.environ.get("UNFLIP_DATA")
    if not folder or not pathlib.Path(folder).is_dir():
        pytest.skip("the benchmark data are not here: set UNFLIP_DATA to their folder")
    return pathlib.Path(folder)


@pytest.fixture(scope="session")
def browser():
    """A real browser without a window, driven by playwright."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no browser is here: install chromium, by 'make browser' or otherwise")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright, which drives the browser, is not here")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()
