"""A model in use: it knows what the columns of a table are, and what is far from all its nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from drumlin import io
from drumlin._errors import ParameterError, TableError
from drumlin._optional import pandas as pd
from drumlin.deploy.notes import checked_note, noted_target, schema_of
from drumlin.estimators.fitted import FittedNetwork
from drumlin.evaluation import Decision, Judged, decision_of
from drumlin.novelty import Novelty
from drumlin.tables import (
    Labelled,
    Schema,
    Several,
    Surprises,
    TableModel,
    Target,
    read_inputs,
    read_labelled,
)
from drumlin.tables.errors import warn_of
from drumlin.tables.reading import fingerprint
from drumlin.tables.schema import check_names


@dataclass(frozen=True)
class Deployed:
    """A fitted model, its columns and its notes; made by ``train`` or ``Deployed.load``.

    Parameters
    ----------
    fitted : FittedNetwork
    schema : Schema
    target : Target, Several or None
        None where the file does not say what is predicted.
    notes : dict
        What ``train`` has noted.

    See Also
    --------
    train
    check

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin.deploy import train
    >>> frame = load_iris(as_frame=True).frame
    >>> model = train(frame, "target", max_nodes=3).deployed
    >>> model.target.task, len(model.schema.used)
    ('classification', 4)
    >>> model.predict(frame[:2])["prediction"].tolist()
    [0, 0]
    """

    fitted: FittedNetwork
    schema: Schema
    target: Target | Several | None
    notes: dict[str, Any]

    @classmethod
    def load(cls, path: str | Path) -> Deployed:
        """Load a model file.

        Models of ``drumlin.save`` can be used too, if they were fitted to named columns of numbers.

        Parameters
        ----------
        path : path-like
            A file of ``Deployed.save``, ``drumlin fit`` or ``drumlin.save``.

        Raises
        ------
        TableError
            Where it does not say what its columns are.
        """
        notes, model = io.describe(path)["notes"], io.load(path)
        schema, target = schema_of(notes, model, path), noted_target(notes, model)
        return cls(FittedNetwork.of(model).named_outputs(target), schema, target, notes)

    def save(self, path: str | Path) -> None:
        """Write the model file, at once or not at all."""
        io.save(self.fitted.whole, path, notes=self.notes)

    def note(self, name: str) -> Any:
        """Return a note that is used; None where there is none; see ``notes.checked_note``."""
        return checked_note(self.notes, name)

    @cached_property
    def decision(self) -> Decision:
        """How classes are decided: by the costs that are noted, or for the most probable one."""
        return decision_of(self.fitted, self.note("costs"))

    def with_costs(self, costs: Any) -> Deployed:
        """Return the model with other costs of wrong answers, by class; None: with none."""
        told = decision_of(self.fitted, costs).costs
        return replace(self, notes=self.notes | {"costs": self._by_class(told)})

    def _by_class(self, values: Any) -> dict[str, float] | None:
        if values is None:
            return None
        labels = map(str, self.fitted.model.classes_.tolist())
        return dict(zip(labels, values.tolist(), strict=True))

    def predict(self, frame: pd.DataFrame, confidence: float | None = None) -> pd.DataFrame:
        """Predict rows, and warn of what training did not have.

        Parameters
        ----------
        frame : DataFrame
            With the columns of the model, in any order, among others.
        confidence : float or None, default=None
            Whether to add sets or intervals that hold the truth with this confidence, calibrated
            by leave-one-out.

        Returns
        -------
        DataFrame
            With the index of ``frame``. prediction (of least expected cost, where costs are noted,
            else the most probable class); probability_* of every class, or std where the model
            knows it; in_set_* of every class, or lower and upper, with a confidence; novel: whether
            a row is farther from all nodes than training rows were. Of several targets,
            prediction_*, std_*, lower_* and upper_* of each.

        Warns
        -----
        TableWarning
            Of gaps and categories that training did not have, and of numbers that can be misread.
        """
        answers, surprises = self.answers(frame, confidence)
        warn_of(surprises.notes())
        return answers

    def answers(
        self, frame: pd.DataFrame, confidence: float | None = None
    ) -> tuple[pd.DataFrame, Surprises]:
        """Return what ``predict`` does, and its warnings as counts that add up over chunks."""
        if not isinstance(frame, pd.DataFrame):
            raise TypeError(
                f"The 'frame' parameter must be a pandas DataFrame. Got {type(frame).__name__}."
            )
        check_names(frame)
        if not len(frame):
            raise TableError("The table must have at least one row. Got none.")
        inputs, surprises = self.read(frame)
        rows = self.rows(inputs)
        answers = self._predictions(rows)
        if confidence is not None:
            answers |= self._calibrated(rows, confidence)
        answers |= {"novel": self.is_novel(rows)}
        return pd.DataFrame(answers, index=frame.index), surprises

    def read(self, frame: pd.DataFrame) -> tuple[pd.DataFrame, Surprises]:
        """Read columns as the model understands them, and tell what training did not have."""
        whole = self.fitted.whole
        if isinstance(whole, TableModel):
            return whole.encoder_.read(frame)
        return read_inputs(whole, self.schema, frame)

    def rows(self, inputs: pd.DataFrame) -> Any:
        """Rows of the network, of columns that are read already."""
        whole = self.fitted.whole
        if isinstance(whole, TableModel):
            return self.fitted.named(whole.encoder_.encode(inputs))
        return self.fitted.model_rows(inputs)

    def _predictions(self, rows: Any) -> dict[str, Any]:
        model = self.fitted.asked
        if is_classifier(self.fitted.model):
            probabilities = model.predict_proba(rows)
            answers = {"prediction": model.classes_[self.decision.answers(probabilities)]}
            columns = zip(model.classes_, probabilities.T, strict=True)
            return answers | {f"probability_{label}": column for label, column in columns}
        if self.fitted.has_std:
            mean, std = model.predict(rows, return_std=True)
            return self._by_target("prediction", mean) | self._by_target("std", std)
        return self._by_target("prediction", model.predict(rows))

    def _by_target(self, what: str, values: Any) -> dict[str, Any]:
        """Columns of answers: of several targets one each, with their names."""
        if values.ndim == 1:
            return {what: values}
        names = zip(self.fitted.outputs, values.T, strict=True)
        return {f"{what}_{name}": column for name, column in names}

    def _calibrated(self, rows: Any, confidence: float) -> dict[str, Any]:
        """Sets of classes, or ends of intervals."""
        model = self.fitted.asked
        question = "predict_set" if is_classifier(self.fitted.model) else "predict_interval"
        if not 0.0 < confidence < 1.0:
            raise ParameterError(
                f"The 'confidence' parameter must be between 0 and 1. Got {confidence!r}."
            )
        try:
            ask = getattr(model, question)
        except AttributeError as error:
            raise ParameterError(
                f"The 'confidence' parameter must be left out for this model. Got {confidence!r}. "
                f"{error}"
            ) from error
        inside = ask(rows, confidence)
        if question == "predict_interval":
            ends = (("lower", inside[..., 0]), ("upper", inside[..., 1]))
            return {k: v for what, end in ends for k, v in self._by_target(what, end).items()}
        columns = zip(model.classes_, inside.T, strict=True)
        return {f"in_set_{label}": column for label, column in columns}

    def is_novel(self, rows: Any) -> Any:
        """Rows that are farther from all nodes than every training row, as truth values.

        Parameters
        ----------
        rows : {DataFrame, ndarray} of shape (n_rows, n_inputs)
            As ``fitted.model_rows`` gives them.
        """
        model, farthest = self.fitted.model, self.note("farthest")  # noted in older files
        if hasattr(model, "novelty") and model.n_nodes_:
            return model._novelty.is_beyond(np.asarray(rows, dtype=np.float64))
        if farthest is None or not model.n_nodes_:
            return np.zeros(len(rows), dtype=bool)
        within = Novelty.within(model.network_, farthest)
        return within.is_beyond(np.asarray(rows, dtype=np.float64))

    def rows_to_judge(
        self, table: str | Path | pd.DataFrame, target: str | Sequence[str] | None = None
    ) -> tuple[Labelled, bool]:
        """Rows to judge the model on, and whether it has seen them.

        Of the very file that it was fitted to, these are the rows that were held out.

        Parameters
        ----------
        table : path-like or DataFrame
        target : str, sequence of str or None
            None where the model knows it.
        """
        target = target or (None if self.target is None else self.target.names)
        if target is None:
            raise ParameterError(
                "The 'target' parameter must be given: the model does not say what it predicts. "
                "Got None."
            )
        rows = read_labelled(table, target, known=self.target, schema=self.schema)
        noted, holdout = self.note("sha256"), self.note("holdout")
        is_file = noted is not None and not isinstance(table, pd.DataFrame)
        seen = is_file and noted == fingerprint(table)
        if seen and holdout:
            rows, seen = rows.split(holdout, self.note("seed") or 0)[1], False
            said = f"the model was fitted to {table}; only its {len(rows)} hold-out rows are used."
            warn_of([said])
        return self._of_known_classes(rows), seen

    def _of_known_classes(self, rows: Labelled) -> Labelled:
        classes = getattr(self.fitted.model, "classes_", None)
        return rows if classes is None else rows.of_classes(classes)

    def judge(
        self,
        rows: Labelled,
        *,
        seen: bool = False,
        which: str = "",
        precision: float | None = None,
    ) -> Judged:
        """Judge the model on rows with a target; rows of unknown classes are left out.

        Parameters
        ----------
        rows : Labelled
            As ``rows_to_judge`` or ``drumlin.tables.read_labelled`` gives them.
        seen : bool, default=False
            Whether they are those of the fit.
        which : str, default=""
            What warnings call them, such as "test ".
        precision : float or None, default=None
            Where given, measures tell the recall at this precision.
        """
        asked = decision_of(self.fitted, None, precision)
        decision = replace(self.decision, precision=asked.precision)
        rows = self._of_known_classes(rows)
        X, surprises = self.read(rows.frame)
        warn_of((rows.surprises + surprises).notes(which))
        return Judged(self.fitted, X, self.fitted.codes(rows.y, len(rows)), seen, decision)
