"""What the library logs, on standard error."""

from __future__ import annotations

import logging

from drumlin.cli.console import tell


class _Teller(logging.Handler):
    """Tells what is logged."""

    def emit(self, record: logging.LogRecord) -> None:
        """Say it as a note."""
        tell(f"Note: {record.getMessage()}")


_TELLER = _Teller()


def tell_logs() -> None:
    """Tell what the library logs from now on; calling it twice says nothing twice."""
    logger = logging.getLogger("drumlin")
    logger.setLevel(logging.INFO)
    logger.addHandler(_TELLER)
