"""Headless Chromium, from the system's packages: playwright brings no browser of its own."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

FLAGS = [
    "--no-sandbox",  # CI runs as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def missing() -> str | None:
    """Return what is missing to open pages; None where all is there."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "needs the Python package playwright"
    return None if executable() else "needs Chromium (Debian: apt-get install chromium)"


def executable() -> str | None:
    """Path of the browser: the variable CHROMIUM, or what the system has."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


@contextmanager
def chromium(**options: Any) -> Iterator[Any]:
    """Start a browser with an empty profile; the value makes pages."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as profile, sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=executable(), args=FLAGS, headless=True, **options
        )
        try:
            yield context
        finally:
            context.close()
