"""What the library logs (that kernels are being compiled ...) as users of the command see it."""

from __future__ import annotations

import logging

from drumlin.cli import datasets
from tests.cli.conftest import run


def test_what_the_library_logs_is_told_once_on_standard_error(monkeypatch):
    def busy(data_home):
        logging.getLogger("drumlin").info("Compiling kernels.")
        logging.getLogger("drumlin").debug("For nobody's eyes.")
        return []

    monkeypatch.setattr(datasets, "catalogue", busy)
    for _ in range(2):
        done = run("datasets", "--json")
        assert (done.stdout, done.stderr) == ("[]\n", "Note: Compiling kernels.\n")
