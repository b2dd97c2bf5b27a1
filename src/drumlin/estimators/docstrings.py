"""Docstrings that share their pieces: what several classes have is described once."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import TypeVar

Class = TypeVar("Class", bound=type)

_PARAMETERS, _ATTRIBUTES = "Parameters\n----------\n", "Attributes\n----------\n"
_ENTRY = re.compile(r"^(\w+(?:, \w+)*) : [^\n]*\n(?:[ ]+[^\n]*\n)*", re.M)
_NAMES = re.compile(r"^(\w+_(?:, \w+_)*)\n(?! )", re.M)


class Common:
    """What these names mean wherever a class does not say otherwise.

    Parameters
    ----------
    radial : {"gaussian", "multiquadric", "inverse_multiquadric", "b_spline"} or Radial, \
            default="gaussian"
        Shape of the nodes.
    max_nodes : int or None, default=None
        Never grow beyond this size.
    fit_intercept : bool, default=True
        Whether to add an unpenalised constant.
    standardize : bool, default=True
        Whether to give every input mean 0 and variance 1 first. Constant inputs are ignored.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes; they multiply the sample weights.
    n_jobs : int or None, default=None
        Threads; None means 1, -1 all. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    n_features_in_ : int
        Number of inputs.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X had string names.
    n_nodes_ : int
        Number of nodes.
    centers_, widths_ : ndarray of shape (n_nodes_, n_features_in_)
        Nodes in the units of X. An infinite width means the input is ignored.
    coef_ : ndarray of shape (n_outputs, n_nodes_)
        Weights; one output for two classes, one per class for more.
    intercept_ : ndarray of shape (n_outputs,)
        Constants.
    temperature_ : float
        Factor between scores and log-odds, fitted to leave-one-out scores.
    relevance_ : ndarray of shape (n_features_in_,)
        Share of every input in the slopes of the scores; see ``DrumlinClassifier``.
    n_bytes_ : int
        Bytes of the network's numbers.
    network_ : Network
        The function itself.
    """


def described_like(*others: type) -> Callable[[Class], Class]:
    """Return a decorator that completes the sections Parameters and Attributes of a class.

    Parameters of the constructor that the docstring does not describe, and attributes that it only
    names (some on a line, without a type), are described as in other classes, or as in ``Common``.
    Parameters come in the order of the constructor, attributes in that of the docstring.
    """

    def decorate(cls: Class) -> Class:
        if cls.__doc__:  # there is none with python -OO
            docs = [inspect.cleandoc(of.__doc__ or "") + "\n" for of in (Common, *others, cls)]
            cls.__doc__ = _completed(docs, list(inspect.signature(cls).parameters))
        return cls

    return decorate


def _completed(docs: list[str], parameters: list[str]) -> str:
    """Return the last of some docstrings with what it lacks from those before it."""
    known: dict[str, str] = {}
    for doc in docs:
        known |= entries(doc, _PARAMETERS) | entries(doc, _ATTRIBUTES)

    def described(line: re.Match[str]) -> str:
        return "".join(dict.fromkeys(known[name] for name in line[1].split(", ")))

    before, _, after = docs[-1].partition(_ATTRIBUTES)
    wanted = "".join(known[name] for name in parameters)
    return (
        f"{before.partition(_PARAMETERS)[0]}{_PARAMETERS}{wanted}\n"
        f"{_ATTRIBUTES}{_NAMES.sub(described, after).rstrip()}"
    )


def entries(doc: str, title: str) -> dict[str, str]:
    """Descriptions in a section by name; several names may share one."""
    section = re.split(r"\n\w[^\n]*\n-+\n", doc.partition(title)[2])[0] + "\n"
    return {name: m[0] for m in _ENTRY.finditer(section) for name in m[1].split(", ")}
