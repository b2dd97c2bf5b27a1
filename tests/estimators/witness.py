"""What tests of callbacks share: import with ``from tests.estimators.witness import ...``."""

from __future__ import annotations

from collections import Counter


class Counting:
    """Counts tasks; a subclass says what happens at their end, after ``count``."""

    def __init__(self):
        self.begun: Counter = Counter()
        self.ended: Counter = Counter()
        self.seen: list = []
        self.state: list = []

    def setup(self, estimator, context):
        self.state.append("setup")

    def teardown(self, estimator, context):
        self.state.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.begun[context.task_name] += 1

    def count(self, context) -> int:
        """How many tasks of this name have ended, this one included."""
        self.ended[context.task_name] += 1
        return self.ended[context.task_name]


def interrupt(*_):
    raise KeyboardInterrupt
