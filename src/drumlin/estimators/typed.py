"""scikit-learn's decorators, typed: what they wrap keeps its signature for type checkers."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from types import MethodType
from typing import TYPE_CHECKING, Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

if TYPE_CHECKING:

    def available_if(check: Callable[[Any], Any]) -> Callable[[F], F]:
        """As of ``sklearn.utils.metaestimators``."""

    def known_if(check: Callable[[Any], Any]) -> Callable[[F], F]:
        """As ``available_if``, but the error that is raised is the one of ``check``."""

    def fit_context(*, prefer_skip_nested_validation: bool) -> Callable[[F], F]:
        """As ``_fit_context`` of ``sklearn.base``."""

else:
    from sklearn.base import _fit_context as fit_context
    from sklearn.utils.metaestimators import available_if

    class _Known:
        """A method that only some models have; those without it say why, in one sentence."""

        def __init__(self, method, check):
            self.method, self.check = method, check
            update_wrapper(self, method)

        def __get__(self, model, owner=None):
            if model is None:
                return self.method
            self.check(model)
            return MethodType(self.method, model)

    def known_if(check):
        """Return the decorator of such a method."""
        return lambda method: _Known(method, check)


__all__ = ["F", "available_if", "fit_context", "known_if"]
