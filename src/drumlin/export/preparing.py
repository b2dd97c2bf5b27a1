"""What scikit-learn's preprocessing does to every column, as features and scalings.

A pipeline of the allowed steps turns each raw column into numbers of its own; it is followed
column by column. Categories are asked of the fitted encoder itself, not derived from its options.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MinMaxScaler,
    OneHotEncoder,
    RobustScaler,
    StandardScaler,
)

from drumlin.export.computation import (
    GAP,
    LOOKUP,
    MEMBER,
    NUMBER,
    TEXT,
    VALUE,
    Coding,
    Column,
    Feature,
    NotExportable,
    Scaling,
)
from drumlin.tables import TableEncoder
from drumlin.tables.codes import NumberCode, TextCode

_UNSEEN = "\x00not a category\x00"


@dataclass(frozen=True)
class Signal:
    """A column on its way through the steps: what it is, and its changes of units so far."""

    feature: Feature
    units: tuple[tuple[float, float], ...] = ()
    is_text: bool = False
    fill_text: str | None = None

    def in_raw_units(self, value: float) -> float:
        """Undo the changes of units."""
        for shift, scale in reversed(self.units):
            value = value * scale + shift
        return value


class Preparation:
    """Follows columns through fitted steps.

    Parameters
    ----------
    names : sequence of str
        Of the raw columns.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self.codings: list[Coding] = []
        self.signals = [Signal(Feature(VALUE, i)) for i in range(len(names))]

    def through(self, steps: Any) -> None:
        """Send all columns through a fitted transformer."""
        self.signals = self._after(steps, self.signals)

    def result(
        self,
    ) -> tuple[tuple[Column, ...], tuple[Coding, ...], tuple[Feature, ...], tuple[Scaling, ...]]:
        """Columns that are used, codings, features, and scalings in their order."""
        for signal in self.signals:
            if signal.is_text:
                name = self.names[signal.feature.column]
                raise NotExportable(f"The column {name!r} reaches the network as text.")
        used = sorted({signal.feature.column for signal in self.signals})
        place = {column: i for i, column in enumerate(used)}
        texts = {coding.column for coding in self.codings}
        columns = tuple(Column(self.names[i], TEXT if i in texts else NUMBER) for i in used)
        features = [s.feature for s in self.signals]
        for feature in features:
            if feature.kind in (VALUE, GAP) and feature.column in texts:
                raise NotExportable(
                    f"The column {self.names[feature.column]!r} is used as a number and as text."
                )
        return (
            columns,
            tuple(replace(coding, column=place[coding.column]) for coding in self.codings),
            tuple(replace(feature, column=place[feature.column]) for feature in features),
            self._scalings(),
        )

    def _scalings(self) -> tuple[Scaling, ...]:
        n_layers = max((len(signal.units) for signal in self.signals), default=0)
        padded = [signal.units + ((0.0, 1.0),) * n_layers for signal in self.signals]
        return tuple(
            Scaling(
                np.array([units[layer][0] for units in padded]),
                np.array([units[layer][1] for units in padded]),
            )
            for layer in range(n_layers)
        )

    # ------------------------------------------------------------------ steps
    def _after(self, step: Any, signals: list[Signal]) -> list[Signal]:
        if step is None or (isinstance(step, str) and step == "passthrough"):
            return signals
        if isinstance(step, Pipeline):
            for _, inner in step.steps:
                signals = self._after(inner, signals)
            return signals
        for kind, follow in self._rules.items():
            if type(step) is kind:
                return list(follow(self, step, signals))
        raise NotExportable(
            f"The step {type(step).__name__} cannot be exported. Steps that can: "
            f"{', '.join(kind.__name__ for kind in self._rules)}, Pipeline, 'passthrough'."
        )

    def _columns(self, step: ColumnTransformer, signals: list[Signal]) -> list[Signal]:
        result: dict[int, Signal] = {}
        names = list(getattr(step, "feature_names_in_", range(len(signals))))
        for name, inner, columns in step.transformers_:
            place = step.output_indices_[name]
            if (isinstance(inner, str) and inner == "drop") or place.start == place.stop:
                continue
            chosen = [signals[i] for i in _positions(columns, names)]
            made = self._after(inner, chosen)
            result |= dict(zip(range(place.start, place.stop), made, strict=True))
        return [result[i] for i in sorted(result)]

    def _same(self, step: FunctionTransformer, signals: list[Signal]) -> list[Signal]:
        if step.func is not None:
            raise NotExportable("A FunctionTransformer with a function cannot be exported.")
        return signals

    def _scaled(
        self, step: StandardScaler | MinMaxScaler | RobustScaler, signals: list[Signal]
    ) -> list[Signal]:
        shift, scale = _units(step, len(signals))
        pairs = zip(shift.tolist(), scale.tolist(), strict=True)
        return [
            replace(signal, units=(*signal.units, pair))
            for signal, pair in zip(signals, pairs, strict=True)
        ]

    def _filled(self, step: SimpleImputer, signals: list[Signal]) -> list[Signal]:
        if not (isinstance(step.missing_values, float) and np.isnan(step.missing_values)):
            raise NotExportable(
                "A SimpleImputer whose 'missing_values' are not NaN cannot be exported. "
                f"Got {step.missing_values!r}."
            )
        made = [
            _fill(signal, value)
            for signal, value in zip(signals, step.statistics_, strict=True)
            if step.keep_empty_features or not _is_gap(value)
        ]
        if step.add_indicator:
            for i in step.indicator_.features_:
                feature = signals[i].feature
                if feature.kind != VALUE or feature.fill is not None:
                    raise NotExportable(
                        f"The missing values of {self.names[feature.column]!r} are marked after "
                        "they were filled."
                    )
                made.append(Signal(Feature(GAP, feature.column)))
        return made

    def _encoded(self, step: OneHotEncoder, signals: list[Signal]) -> list[Signal]:
        if step.handle_unknown == "error":
            raise NotExportable(
                "A OneHotEncoder that refuses unknown categories cannot be exported: "
                "'handle_unknown' must be 'ignore' or 'infrequent_if_exist'."
            )
        made: list[Signal] = []
        for j, (signal, known) in enumerate(zip(signals, step.categories_, strict=True)):
            texts = tuple(text for text in known if not _is_gap(text))
            if not all(isinstance(text, str) for text in texts):
                raise NotExportable(
                    f"The categories of {self.names[signal.feature.column]!r} must be texts. "
                    f"Got {texts[0]!r}."
                )
            start = len(made)
            codes = _codes(
                step, j, [*texts, _UNSEEN, np.nan if signal.fill_text is None else signal.fill_text]
            )
            own = [code - start if code >= 0 else -1 for code in codes]
            index = len(self.codings)
            column = signal.feature.column
            plain = tuple(str(text) for text in texts)
            self.codings.append(Coding(column, plain, tuple(own[:-2]), own[-1], own[-2]))
            width = _n_outputs(step, j)
            made += [Signal(Feature(MEMBER, column, None, index, k)) for k in range(width)]
        return made

    def _of_table(self, step: TableEncoder, signals: list[Signal]) -> list[Signal]:
        made: list[Signal] = []
        places = {column.name: i for i, column in enumerate(step.schema_.columns)}
        for column, code in zip(step.schema_.used, step.codes_, strict=True):
            feature = signals[places[column.name]].feature
            if feature.kind != VALUE or feature.fill is not None:
                raise NotExportable("A TableEncoder must be the first step to be exported.")
            if isinstance(code, NumberCode):
                made.append(Signal(replace(feature, fill=code.fill)))
                made += [Signal(Feature(GAP, feature.column))] if code.marks else []
            elif isinstance(code, TextCode):
                made += self._looked_up(code, feature.column)
            else:
                raise NotExportable(
                    f"The dates of {column.name!r} cannot be exported. Give year, month or weekday "
                    "as columns of their own."
                )
        return made

    def _looked_up(self, code: TextCode, column: int) -> list[Signal]:
        """Rows of the table are categories; a column of 0 and one 1 tells who belongs to it."""
        rows, codes = np.unique(code.table, axis=0, return_inverse=True)
        *own, missing, unknown = codes.ravel().tolist()
        index = len(self.codings)
        self.codings.append(Coding(column, code.texts, tuple(own), missing, unknown))
        made = []
        for values in rows.T:
            if set(values.tolist()) <= {0.0, 1.0} and values.sum() == 1.0:
                made.append(Feature(MEMBER, column, None, index, int(values.argmax())))
            else:
                made.append(Feature(LOOKUP, column, None, index, -1, tuple(values.tolist())))
        return [Signal(feature) for feature in made]

    _rules: dict[type, Any] = {
        TableEncoder: _of_table,
        ColumnTransformer: _columns,
        FunctionTransformer: _same,
        MinMaxScaler: _scaled,
        RobustScaler: _scaled,
        StandardScaler: _scaled,
        SimpleImputer: _filled,
        OneHotEncoder: _encoded,
    }


def _units(step: Any, n: int) -> tuple[Any, Any]:
    """Shift and scale (n,) of a scaler: it computes (x - shift) / scale."""
    if isinstance(step, MinMaxScaler):
        if step.clip:
            raise NotExportable("A MinMaxScaler that clips cannot be exported.")
        return -step.min_ / step.scale_, 1.0 / step.scale_
    shift = step.center_ if isinstance(step, RobustScaler) else step.mean_
    return (
        np.zeros(n) if shift is None else shift,
        np.ones(n) if step.scale_ is None else step.scale_,
    )


def _positions(columns: Any, names: list[Any]) -> list[int]:
    """Indices of columns that are given by name, number, slice or mask."""
    numbers = list(range(len(names)))
    if isinstance(columns, slice):
        if isinstance(columns.start, str) or isinstance(columns.stop, str):
            raise NotExportable(
                f"Columns chosen by {columns} cannot be exported; list their names."
            )
        return numbers[columns]
    chosen = [columns] if isinstance(columns, (str, int)) else list(columns)
    if chosen and all(isinstance(entry, (bool, np.bool_)) for entry in chosen):
        return [i for i, entry in zip(numbers, chosen, strict=True) if entry]
    return [names.index(entry) if isinstance(entry, str) else numbers[entry] for entry in chosen]


def _fill(signal: Signal, value: Any) -> Signal:
    """Fill gaps, unless an earlier step has."""
    if signal.feature.kind != VALUE:
        return signal
    if isinstance(value, str):
        fill_text = value if signal.fill_text is None else signal.fill_text
        return replace(signal, is_text=True, fill_text=fill_text)
    if signal.feature.fill is not None:
        return signal
    return replace(signal, feature=replace(signal.feature, fill=signal.in_raw_units(float(value))))


def _is_gap(value: Any) -> bool:
    return value is None or (isinstance(value, float) and np.isnan(value))


def _codes(encoder: OneHotEncoder, column: int, values: list[Any]) -> list[int]:
    """Output column that fires for each value of an input column; -1 where none does."""
    others = [known[0] for known in encoder.categories_]
    rows = [[value if j == column else other for j, other in enumerate(others)] for value in values]
    inputs: Any = np.array(rows, dtype=object)
    if hasattr(encoder, "feature_names_in_"):
        from drumlin._optional import pandas as pd

        inputs = pd.DataFrame(inputs, columns=encoder.feature_names_in_)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that one of them is unknown is the question
        fired = encoder.transform(inputs)
    dense = fired.toarray() if hasattr(fired, "toarray") else np.asarray(fired)
    first = sum(_n_outputs(encoder, j) for j in range(column))
    own = dense[:, first : first + _n_outputs(encoder, column)]
    return [first + int(row.argmax()) if row.any() else -1 for row in own]


def _n_outputs(encoder: OneHotEncoder, column: int) -> int:
    return int(encoder._n_features_outs[column])
