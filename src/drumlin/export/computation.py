r"""One description of a fitted model's computation, from raw columns to answers.

Every target is written from this and nothing else: no target knows an estimator, no estimator
knows a target. The steps, for one row:

1. *features*: a number (its gap filled), whether a value is missing, whether a text belongs to a
   category, or the number of its category;
2. *scalings*: :math:`t = (x - \mathrm{shift})/\mathrm{scale}`, perhaps limited, perhaps with the
   power of ``drumlin.basis.powers`` behind it;
3. *clip*: :math:`u = t/\sqrt{1 + (t/c)^2}`; 4. *matrix*: :math:`z = u A`;
5. *nodes*: :math:`\varphi_j(\sum_k ((z_k - c_{jk}) p_{jk})^2)`, perhaps normalised;
6. *weights*: :math:`f = b + \varphi W`; 7. *outcome*: a number, or a class with probabilities.

An infinite number counts as the largest finite one. A gap that nothing fills makes no answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

import numpy as np

from drumlin._typing import BoolArray, FloatArray

NUMBER, TEXT = "number", "text"
"""Kinds of raw columns."""

VALUE, GAP, MEMBER, LOOKUP, ZERO = "value", "gap", "member", "lookup", "zero"
"""Kinds of features."""

SCORES, SOFTMAX, SHARES = "scores", "softmax", "shares"
"""What scores become: numbers; probabilities of classes; or they are probabilities already."""

GAUSSIAN, MULTIQUADRIC = "gaussian", "multiquadric"
INVERSE_MULTIQUADRIC, B_SPLINE = "inverse_multiquadric", "b_spline"

Label = str | int | float | bool


class NotExportable(ValueError):
    """A model, or something in it, has no counterpart in a target; the text names it.

    See Also
    --------
    describe

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.pipeline import make_pipeline
    >>> from drumlin import DrumlinRegressor
    >>> from drumlin.export import NotExportable, describe
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]
    >>> model = make_pipeline(KMeans(2, random_state=0), DrumlinRegressor()).fit(X, range(6))
    >>> try:
    ...     describe(model)
    ... except NotExportable as error:
    ...     print("KMeans" in str(error))
    True
    """


@dataclass(frozen=True)
class Column:
    """A raw column: its name, and whether it holds numbers or texts."""

    name: str
    kind: str


@dataclass(frozen=True)
class Coding:
    """Which category a text of a column belongs to; -1 means none.

    Parameters
    ----------
    column : int
        Index of the raw column.
    texts : tuple of str
        Texts that training has seen.
    codes : tuple of int
        Their categories.
    missing, unknown : int
        Categories of no text, and of any other.
    """

    column: int
    texts: tuple[str, ...]
    codes: tuple[int, ...]
    missing: int
    unknown: int


@dataclass(frozen=True)
class Feature:
    """One number made of one raw column.

    Parameters
    ----------
    kind : {"value", "gap", "member", "lookup", "zero"}
    column : int
        Index of the raw column.
    fill : float or None
        What a missing value becomes; None where nothing fills it.
    coding, code : int
        The coding, and the category whose members have 1.
    values : tuple of float
        The number of every category, where texts are looked up: all codes are 0 or more then.
    """

    kind: str
    column: int
    fill: float | None = None
    coding: int = -1
    code: int = -1
    values: tuple[float, ...] = ()


@dataclass(frozen=True)
class Scaling:
    """``(x - shift) / scale`` per feature, within ``limit`` and with a power behind it where given.

    Powers are Yeo and Johnson's, from 0 to 2; what has one is limited, so that none overflows.
    """

    shift: FloatArray
    scale: FloatArray
    limit: float | None = None
    # Models without powers keep the fingerprints that they had before there were any.
    power: FloatArray | None = field(default=None, metadata={"silent": True})

    @property
    def bent(self) -> BoolArray:
        """Which features (n_features,) have a power other than 1."""
        return np.zeros(len(self.shift), bool) if self.power is None else self.power != 1.0


@dataclass(frozen=True)
class Mapping:
    """From features to the space of the nodes.

    Parameters
    ----------
    scalings : tuple of Scaling
        One after the other.
    inv_clip : ndarray of shape (n_features,) or None
        1/c of the smooth clip, 0 where a feature is not clipped; None where none is.
    matrix : ndarray of shape (n_features, n_mapped) or None
    """

    scalings: tuple[Scaling, ...]
    inv_clip: FloatArray | None
    matrix: FloatArray | None


@dataclass(frozen=True)
class NodeTable:
    """Nodes in the mapped space.

    Parameters
    ----------
    centers, inv_widths : ndarray of shape (n_nodes, n_mapped)
    radial : str
        "gaussian", "multiquadric", "inverse_multiquadric" or "b_spline".
    shares : ndarray of shape (n_nodes,) or None
        Factors of a normalised network.
    """

    centers: FloatArray
    inv_widths: FloatArray
    radial: str = GAUSSIAN
    shares: FloatArray | None = None

    def __len__(self) -> int:
        return len(self.centers)


@dataclass(frozen=True)
class Weights:
    """``b + phi W``: coef of shape (n_nodes, n_outputs), intercept of shape (n_outputs,)."""

    coef: FloatArray
    intercept: FloatArray


@dataclass(frozen=True)
class Outcome:
    """What scores mean: kind, inverse temperature, and classes (None for numbers)."""

    kind: str
    temperature: float = 1.0
    classes: tuple[Label, ...] | None = None


@dataclass(frozen=True)
class NoveltyTable:
    """Nodes that stood where data were, and quantiles of the training rows' distances.

    Distances are taken in the mapped space without the clip.
    """

    nodes: NodeTable
    quantiles: FloatArray


@dataclass(frozen=True)
class Computation:
    """All steps; see the module.

    See Also
    --------
    describe

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin import DrumlinClassifier
    >>> from drumlin.export import describe
    >>> steps = describe(DrumlinClassifier(max_nodes=3).fit(*load_iris(return_X_y=True)))
    >>> len(steps.columns), steps.n_outputs
    (4, 3)
    """

    estimator: str
    columns: tuple[Column, ...]
    codings: tuple[Coding, ...]
    features: tuple[Feature, ...]
    mapping: Mapping
    nodes: NodeTable
    weights: Weights
    outcome: Outcome
    novelty: NoveltyTable | None

    @property
    def n_outputs(self) -> int:
        """Number of scores."""
        return len(self.weights.intercept)

    @property
    def n_mapped(self) -> int:
        """Dimension of the space of the nodes."""
        matrix = self.mapping.matrix
        return len(self.features) if matrix is None else matrix.shape[1]

    @property
    def bent(self) -> BoolArray:
        """Which features (n_features,) have a power other than 1."""
        bent = [scaling.bent for scaling in self.mapping.scalings]
        return np.any(bent, axis=0) if bent else np.zeros(len(self.features), bool)

    @property
    def classes(self) -> tuple[Label, ...]:
        """Classes; none where numbers are predicted."""
        return self.outcome.classes or ()

    @property
    def may_lack(self) -> bool:
        """Whether a missing number leaves a row without an answer."""
        return any(f.kind == VALUE and f.fill is None for f in self.features)

    def fingerprint(self) -> str:
        """Hash of everything that decides an answer, as 16 hexadecimal digits."""
        digest = hashlib.sha256()
        for part in _flat(self):
            digest.update(len(part).to_bytes(8, "little") + part)
        return digest.hexdigest()[:16]


def _flat(value: Any) -> Iterator[bytes]:
    """Contents in a fixed order, with types."""
    if is_dataclass(value):
        for entry in fields(value):
            part = getattr(value, entry.name)
            if part is not None or "silent" not in entry.metadata:
                yield from _flat(part)
    elif isinstance(value, tuple):
        yield f"tuple {len(value)}".encode()
        for entry in value:
            yield from _flat(entry)
    elif isinstance(value, np.ndarray):
        yield f"{value.dtype.str} {value.shape}".encode()
        yield np.ascontiguousarray(value).tobytes()
    else:
        yield f"{type(value).__name__} {value!r}".encode("utf-8", "surrogatepass")
