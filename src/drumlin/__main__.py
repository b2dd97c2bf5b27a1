"""``python -m drumlin`` is the command ``drumlin``."""

import sys

from drumlin._optional import MissingExtra, need
from drumlin._signals import stopped_by_signals
from drumlin.cli.streams import prepare_streams


def main() -> None:
    """Run the command; imports wait until signals and streams are taken care of."""
    try:
        with stopped_by_signals():
            prepare_streams()
            need("typer")
            from drumlin.cli.app import app

            app(prog_name="drumlin")
    except MissingExtra as missing:
        sys.exit(f"Error: {missing}")


if __name__ == "__main__":
    main()
