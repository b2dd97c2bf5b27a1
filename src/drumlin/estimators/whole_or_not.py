"""Fits that happen wholly or not at all: an estimator is the old one, the new one, or not fitted.

A fit works on a shallow copy, and what it has learned becomes the estimator's in one step at its
end. So nothing has to be undone after an error or an interrupt, however many come, and other
threads never see half a model. Learned values must therefore be replaced, not changed in place.
"""

from __future__ import annotations

import functools
from typing import Any, cast

from drumlin.estimators.typed import F


def whole_or_not(method: F) -> F:
    """Let ``fit`` or ``partial_fit`` change its estimator only when it has come to its end.

    Callbacks are told of the copy at work; from the end on it shares its attributes with the
    estimator. Put it around ``_fit_context``, which tears callbacks down.
    """

    @functools.wraps(method)
    def wrapper(estimator: Any, *args: Any, **kwargs: Any) -> Any:
        at_work = object.__new__(type(estimator))
        at_work.__dict__.update(vars(estimator))
        method(at_work, *args, **kwargs)
        estimator.__dict__ = at_work.__dict__
        return estimator

    return cast("F", wrapper)
