"""The part of a page that answers: the exported model, data to play with, and a script."""

from drumlin.report.live.script import Live, live_part

__all__ = ["Live", "live_part"]
