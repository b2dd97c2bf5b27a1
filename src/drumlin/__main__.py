"""``python -m drumlin`` is the command ``drumlin``."""

from drumlin.cli.app import app

app(prog_name="drumlin")
