"""Saving refuses by name what it cannot keep, and never leaves half a file."""

from __future__ import annotations

import os
import stat

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler, StandardScaler
from sklearn.svm import SVC

import drumlin
from drumlin import DrumlinClassifier, DrumlinRegressor, ForwardRBFClassifier
from drumlin.criteria import LOOMisclassification
from drumlin.io import archive, files
from tests.io.models import assert_same_answers


class OwnCriterion(LOOMisclassification):
    """A user's own."""


@pytest.mark.parametrize(("model", "error", "reason"), [
    (DrumlinClassifier(), NotFittedError, "DrumlinClassifier instance is not fitted"),
    (make_pipeline(StandardScaler(), DrumlinRegressor()), NotFittedError, "not fitted"),
    (SVC(), TypeError, r"Got sklearn\.svm\._classes\.SVC"),
    (make_pipeline(StandardScaler(), SVC()), TypeError, "SVC"),
    (GridSearchCV(DrumlinClassifier(), {}), TypeError, "GridSearchCV"),
    (DrumlinClassifier, TypeError, "Got .*ABCMeta"),
    (None, TypeError, "NoneType"),
    ({"a": 1}, TypeError, "dict"),
])  # fmt: skip
def test_foreign_and_unfitted_objects(model, error, reason, tmp_path):
    with pytest.raises(error, match=reason):
        drumlin.save(model, tmp_path / "x")
    assert not list(tmp_path.iterdir())


def test_search_is_told_what_to_save(classifier, tmp_path):
    X = classifier[1]
    search = GridSearchCV(DrumlinClassifier(), {"max_nodes": [1, 2]}, cv=2).fit(X, X[:, 0] > 5.8)
    with pytest.raises(TypeError, match="best_estimator_"):
        drumlin.save(search, tmp_path / "x")
    drumlin.save(search.best_estimator_, tmp_path / "x")


@pytest.mark.parametrize(("step", "name"), [
    (MaxAbsScaler(), r"Pipeline\.steps\[0\]\[1\].*MaxAbsScaler"),
    (FunctionTransformer(np.tanh), r"Pipeline\.steps\[0\]\[1\]\.func.*ufunc"),
])  # fmt: skip
def test_steps_that_files_cannot_hold(step, name, classifier, tmp_path):
    X = classifier[1]
    model = make_pipeline(step, ForwardRBFClassifier(max_nodes=2)).fit(X, X[:, 0] > 5.8)
    with pytest.raises(TypeError, match=name):
        drumlin.save(model, tmp_path / "x")


def test_parts_and_values_that_files_cannot_hold(classifier, tmp_path):
    X = classifier[1]
    model = ForwardRBFClassifier(criterion=OwnCriterion(), max_nodes=2).fit(X, X[:, 0] > 5.8)
    with pytest.raises(TypeError, match=r"ForwardRBFClassifier\.criterion.*OwnCriterion"):
        drumlin.save(model, tmp_path / "x")
    model = ForwardRBFClassifier(max_nodes=2).fit(X, X[:, 0] > 5.8)
    model.extra_ = np.zeros(2, dtype=complex)
    with pytest.raises(TypeError, match=r"extra_.*complex128"):
        drumlin.save(model, tmp_path / "x")
    del model.extra_
    with pytest.raises(TypeError, match=r"notes\['when'\]"):
        drumlin.save(model, tmp_path / "x", notes={"when": object()})


def test_model_that_contradicts_itself_is_not_saved(classifier, tmp_path):
    model = DrumlinClassifier(max_nodes=2).fit(classifier[1], classifier[1][:, 0] > 5.8)
    model.network_.coef[0] = np.nan
    path = tmp_path / "x"
    path.write_text("precious")
    with pytest.raises(ValueError, match=r"cannot be saved.*weight of the network is not finite"):
        drumlin.save(model, path)
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()])
def test_failure_while_writing_leaves_the_old_file(classifier, error, tmp_path, monkeypatch):
    def fail(file, *_):
        file.write(b"half")
        raise error

    path = tmp_path / "model.drumlin"
    path.write_text("precious")
    monkeypatch.setattr(files, "write_archive", fail)
    with pytest.raises(type(error)):
        drumlin.save(classifier[0], path)
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]


def test_folder_that_does_not_exist(classifier, tmp_path):
    with pytest.raises(FileNotFoundError):
        drumlin.save(classifier[0], tmp_path / "nowhere" / "x")


def test_models_too_large_for_a_file(classifier, tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MOST_BYTES", 100)
    with pytest.raises(ValueError, match="arrays of a model file must have at most 100 bytes"):
        drumlin.save(classifier[0], tmp_path / "x")
    monkeypatch.setattr(archive, "MOST_TEXT", 100)
    with pytest.raises(ValueError, match="text of a model file must have at most 100 bytes"):
        drumlin.save(classifier[0], tmp_path / "x")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="has no such links and modes")
def test_links_are_followed_and_files_can_be_read_by_others(classifier, tmp_path):
    model, X = classifier
    (tmp_path / "store").mkdir()
    link, target = tmp_path / "link", tmp_path / "store" / "model"
    link.symlink_to(target)
    drumlin.save(model, link)
    assert link.is_symlink()
    assert_same_answers(drumlin.load(target), model, X)
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~umask


def test_notes_are_plain_data(classifier, tmp_path):
    for note in (
        np.float64,
        slice(3),
        np.random.RandomState(0),
        np.zeros(3),
        LOOMisclassification(),
    ):
        with pytest.raises(ValueError, match=r"cannot be saved: .*unknown keys"):
            drumlin.save(classifier[0], tmp_path / "x", notes={"note": note})
    assert not list(tmp_path.iterdir())


def test_a_wrong_environment_is_not_the_files_fault(classifier, tmp_path, monkeypatch):
    drumlin.save(classifier[0], tmp_path / "model")
    monkeypatch.setenv("DRUMLIN_BACKEND", "foo")
    with pytest.raises(ValueError, match=r"^The environment variable DRUMLIN_BACKEND must be"):
        drumlin.load(tmp_path / "model")
