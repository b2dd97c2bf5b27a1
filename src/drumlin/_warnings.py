"""Warnings that point at the user's own line, however deep in this package they arise."""

from __future__ import annotations

import sys
import warnings

INSIDE = ("drumlin", "sklearn")
"""Packages whose frames are not the user's: scikit-learn wraps ``fit``, and pipelines call it."""


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the innermost frame that is neither ours nor scikit-learn's."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and _is_inside(frame.f_globals.get("__name__", "")):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def _is_inside(module: str) -> bool:
    return module.partition(".")[0] in INSIDE
