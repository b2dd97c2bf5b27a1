"""``python -m drumlin`` is the command ``drumlin``."""

from drumlin._signals import stopped_by_signals
from drumlin.cli.streams import prepare_streams


def main() -> None:
    """Run the command; imports wait until signals and streams are taken care of."""
    with stopped_by_signals():
        prepare_streams()
        from drumlin.cli.app import app

        app(prog_name="drumlin")


if __name__ == "__main__":
    main()
