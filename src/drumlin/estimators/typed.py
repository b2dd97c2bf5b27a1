"""scikit-learn's decorators, typed: what they wrap keeps its signature for type checkers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

if TYPE_CHECKING:

    def available_if(check: Callable[[Any], Any]) -> Callable[[F], F]:
        """As of ``sklearn.utils.metaestimators``."""

    def fit_context(*, prefer_skip_nested_validation: bool) -> Callable[[F], F]:
        """As ``_fit_context`` of ``sklearn.base``."""

else:
    from sklearn.base import _fit_context as fit_context
    from sklearn.utils.metaestimators import available_if

__all__ = ["F", "available_if", "fit_context"]
