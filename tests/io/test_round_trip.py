"""What is loaded is what was saved: all answers to the last bit, in small files."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import json
from pathlib import Path

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator, clone
from sklearn.callback import ProgressBar
from sklearn.datasets import make_classification
from sklearn.pipeline import Pipeline

import drumlin
from drumlin import (
    DrumlinClassifier,
    DrumlinRegressor,
    ForwardRBFClassifier,
    ForwardRBFRegressor,
    RBFNetworkClassifier,
)
from drumlin.estimators.compressed import CompressedClassifier
from drumlin.flagship.smooth import Smooth
from drumlin.io import describe
from drumlin.io.registry import (
    ATTRIBUTES,
    ESTIMATORS,
    NAMES,
    NOT_STORED,
    OLD_PARTS,
    PARTS,
    PREPROCESSING,
    TABLES,
    TARGETS,
)
from drumlin.io.upgrades import upgrade
from tests.io.models import assert_same_answers, edited, members
from tests.powered import powered_classifier


def round_trip(model, folder):
    path = folder / "model.drumlin"
    drumlin.save(model, path)
    return drumlin.load(path)


def assert_equal_state(actual, expected):
    """Assert that two values are the same all the way down, types and memory order included."""
    assert type(actual) is type(expected)
    if isinstance(expected, np.ndarray):
        assert actual.dtype == expected.dtype
        assert actual.tolist() == expected.tolist() or np.array_equal(
            actual, expected, equal_nan=True
        )
        assert actual.flags.writeable
        if expected.flags.forc:
            assert actual.flags.c_contiguous == expected.flags.c_contiguous
    elif isinstance(expected, np.random.RandomState):
        assert_equal_state(actual.get_state(), expected.get_state())
    elif dataclasses.is_dataclass(expected):
        for field in dataclasses.fields(expected):
            assert_equal_state(getattr(actual, field.name), getattr(expected, field.name))
    elif isinstance(expected, BaseEstimator):
        kept = {k: v for k, v in vars(expected).items() if k not in NOT_STORED}
        assert_equal_state({k: v for k, v in vars(actual).items() if k not in NOT_STORED}, kept)
    elif isinstance(expected, dict):
        assert set(actual) == set(expected)
        for key, value in expected.items():
            assert_equal_state(actual[key], value)
    elif isinstance(expected, (list, tuple)):
        assert len(actual) == len(expected)
        for a, e in zip(actual, expected, strict=True):
            assert_equal_state(a, e)
    else:
        assert actual == expected or (actual != actual and expected != expected)


def test_all_answers_are_equal_to_the_last_bit(fitted, tmp_path):
    model, X = fitted
    assert_same_answers(round_trip(model, tmp_path), model, X)


def test_everything_learned_is_equal(fitted, tmp_path):
    model, _ = fitted
    assert_equal_state(round_trip(model, tmp_path), model)


def test_truncated_models_are_equal(fitted, tmp_path):
    model, X = fitted
    if not hasattr(model, "truncate"):
        pytest.skip("cannot be truncated")
    loaded = round_trip(model, tmp_path)
    for n_nodes in {1, model.n_nodes_ // 2, model.n_nodes_} - {0}:
        smaller = model.truncate(n_nodes)
        assert_same_answers(loaded.truncate(n_nodes), smaller, X)
        assert_same_answers(round_trip(smaller, tmp_path), smaller, X)


def test_loaded_models_can_be_cloned_and_fitted(fitted, tmp_path):
    model, X = fitted
    loaded = round_trip(model, tmp_path)
    if isinstance(model, CompressedClassifier):
        with pytest.raises(TypeError, match=r"made by drumlin\.compress"):
            clone(loaded).fit(X, model.predict(X))
        return
    again = clone(loaded).fit(X, model.predict(X))
    assert_same_answers(round_trip(again, tmp_path), again, X)


def test_model_of_a_table(encoded, tmp_path):
    model, X = encoded
    assert {type(code).__name__ for code in model.encoder_.codes_} == {
        "NumberCode", "TextCode", "DateCode",
    }  # fmt: skip
    loaded = round_trip(model, tmp_path)
    assert_same_answers(loaded, model, X)
    assert_equal_state(loaded, model)
    assert_same_answers(loaded, model, X.assign(deck="Z", age=np.nan, town="elsewhere"))
    assert loaded.relevance_.tolist() == model.relevance_.tolist()


@pytest.mark.parametrize("first", ["0001-01-01", "1500-06-01", "9999-12-31"])
def test_tables_that_were_once_refused(first, tmp_path):
    x = np.linspace(0.0, 1.0, 40)
    columns = {"x": x.tolist(), "d": [first, *["2020-01-01", "2021-05-06"] * 19, "2000-01-01"]}
    model = drumlin.make_table_model(ForwardRBFClassifier(max_nodes=2)).fit(columns, x > 0.4)
    assert model.feature_names_in_.tolist() == ["x", "d"]  # a dict of columns has names
    loaded = round_trip(model, tmp_path)
    np.testing.assert_array_equal(loaded.predict_proba(columns), model.predict_proba(columns))


def test_pipeline_from_a_mixed_table(table_model, table, tmp_path):
    X, _ = table
    loaded = round_trip(table_model, tmp_path)
    assert_same_answers(loaded, table_model, X)
    assert_equal_state(loaded, table_model)
    unseen = X.assign(deck="Z", age=np.nan)
    assert_same_answers(loaded, table_model, unseen)


def test_model_without_nodes(tmp_path):
    X = np.zeros((10, 2))
    for model in (DrumlinClassifier(), DrumlinRegressor()):
        model.fit(X, np.arange(10) % 2)
        assert model.n_nodes_ == 0
        assert_same_answers(round_trip(model, tmp_path), model, X + 1.0)


@pytest.mark.parametrize("labels", [
    ["no", "yes"], np.array(["a", "b"], dtype=object), [False, True], [-1, 1], [0.0, 1.0],
    ["\u00fcn\U0001f40d", "\ud800\x00x"], np.array([3, 4], dtype=np.uint8),
])  # fmt: skip
def test_classes_of_every_kind(labels, tmp_path):
    X = np.random.default_rng(0).normal(size=(40, 2))
    y = np.asarray(labels)[(X[:, 0] > 0).astype(int)]
    model = DrumlinClassifier(max_nodes=2).fit(X, y)
    loaded = round_trip(model, tmp_path)
    assert_equal_state(loaded.classes_, model.classes_)
    assert_same_answers(loaded, model, X)


def test_class_weights_of_numpy_keys_and_named_features(tmp_path):
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 2)), columns=["a", "b"])
    weights = {np.int64(0): 1.0, 1: np.float32(2.0)}
    model = DrumlinClassifier(class_weight=weights).fit(X, (X["a"] > 0).astype(int))
    loaded = round_trip(model, tmp_path)
    assert_equal_state(loaded.class_weight, weights)
    assert_equal_state(loaded.feature_names_in_, model.feature_names_in_)
    assert_same_answers(loaded, model, X)


def test_several_outputs(tmp_path):
    X = np.random.default_rng(0).normal(size=(50, 2))
    model = ForwardRBFRegressor(max_nodes=4).fit(X, np.column_stack([X[:, 0] ** 2, X[:, 1]]))
    assert_same_answers(round_trip(model, tmp_path), model, X)


def test_smooth_network(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.uniform(-2.0, 2.0, size=(60, 2))
    y = X[:, 0] * X[:, 1] + 0.1 * rng.normal(size=60)
    model = DrumlinRegressor().fit(X, y)
    assert model._uncertainty.shared  # else this test says nothing new
    assert_same_answers(round_trip(model, tmp_path), model, X)


def test_smooth_networks_of_older_files_had_one_nugget():
    assert upgrade(Smooth, {"noise": 1.0})["nugget"] == 1e-8
    assert upgrade(Smooth, {"noise": 1.0, "nugget": 1e-3})["nugget"] == 1e-3


def test_streams_go_on(tmp_path):
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = X[:, 0] > 0.0
    model = RBFNetworkClassifier(4).partial_fit(X[:40], y[:40], classes=[False, True])
    loaded = round_trip(model, tmp_path)
    assert_same_answers(loaded.partial_fit(X[40:], y[40:]), model.partial_fit(X[40:], y[40:]), X)


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_any_scale_of_the_data(scale, tmp_path):
    X = np.random.default_rng(0).normal(size=(50, 2)) * scale
    y = np.sin(X[:, 0] / scale)
    for model in (DrumlinRegressor(3).fit(X, y * scale), DrumlinClassifier(3).fit(X, y > 0.0)):
        assert_same_answers(round_trip(model, tmp_path), model, X)


def test_what_is_not_the_model_stays_behind(classifier, table_model, tmp_path):
    X = classifier[1]
    model = ForwardRBFClassifier(n_jobs=2, max_nodes=2)
    model.set_callbacks(ProgressBar())
    model.fit(X, X[:, 0] > 5.8)
    loaded = round_trip(model, tmp_path)
    assert loaded.n_jobs is None
    assert not hasattr(loaded, "_skl_callbacks")
    assert model.n_jobs == 2
    cached = clone(table_model).set_params(memory=str(tmp_path / "cache"))
    cached.steps = table_model.steps
    assert round_trip(cached, tmp_path).memory is None


def test_metadata_requests_come_back(classifier, tmp_path):
    X = classifier[1]
    with sklearn.config_context(enable_metadata_routing=True):
        model = DrumlinClassifier(2).set_fit_request(sample_weight=True)
        model.set_score_request(sample_weight="importance")
        model.fit(X, X[:, 0] > 5.8)
        requests = round_trip(model, tmp_path).get_metadata_routing()
        assert requests.fit.requests == {"sample_weight": True}
        assert requests.score.requests == {"sample_weight": "importance"}


# ------------------------------------------------------------------ size and content
# These two keep more than a network: uncertainty (test_uncertainty.py), and the last scores of a
# stream to calibrate probabilities on.
LARGER = (DrumlinRegressor, RBFNetworkClassifier)


@pytest.mark.parametrize("cls", [cls for cls in ESTIMATORS if cls not in LARGER])
def test_five_nodes_of_ten_features_fit_in_8_kilobytes(cls, tmp_path):
    X, y = make_classification(200, 10, n_informative=5, random_state=0)
    name = "max_nodes" if "max_nodes" in inspect.signature(cls).parameters else "n_nodes"
    if name not in inspect.signature(cls).parameters:
        pytest.skip("has no limit to the number of nodes")
    path = tmp_path / "model.drumlin"
    drumlin.save(cls(**{name: 5}).fit(X, y), path)
    assert path.stat().st_size < 8000


def test_equal_models_give_equal_files_and_aliases_are_stored_once(classifier, tmp_path):
    model, _ = classifier
    for name in ("a", "b"):
        drumlin.save(model, tmp_path / name)
    content = (tmp_path / "a").read_bytes()
    assert content == (tmp_path / "b").read_bytes()
    index = json.loads(members(content)["model.json"])["arrays"]
    loaded = drumlin.load(tmp_path / "a")
    assert loaded._places.widths is loaded.network_.nodes.widths
    assert index.count(["f8", list(model.network_.nodes.widths.shape), "C"]) < 6


def test_paths_may_be_text_or_path_and_anywhere(classifier, tmp_path, monkeypatch):
    model, X = classifier
    monkeypatch.chdir(tmp_path)
    drumlin.save(model, "model.drumlin")
    assert_same_answers(drumlin.load(Path("model.drumlin")), model, X)


def test_describe_tells_what_the_file_holds(table_model, tmp_path):
    path = tmp_path / "model.drumlin"
    notes = {"target": "survived", "holdout": {"error": 0.25, "log_loss": float("nan")}}
    drumlin.save(table_model, path, notes=notes)
    about = describe(path)
    estimator = table_model[-1]
    assert about["n_bytes"] == path.stat().st_size
    assert (about["version"], about["min_reader"]) == (2, 2)
    assert about["versions"]["drumlin"] == drumlin.__version__
    assert about["versions"]["scikit-learn"] == sklearn.__version__
    assert about["notes"]["target"] == "survived"
    assert np.isnan(about["notes"]["holdout"]["log_loss"])
    facts = about["facts"]
    assert facts["estimator"] == "DrumlinClassifier"
    assert facts["task"] == "classification"
    assert facts["steps"] == ["ColumnTransformer", "DrumlinClassifier"]
    assert facts["feature_names"] == ["age", "fare", "sex", "deck", "class", "alone"]
    assert facts["n_features"] == 6
    assert facts["classes"] == ["no", "yes"]
    assert facts["n_nodes"] == estimator.n_nodes_
    assert facts["n_outputs"] == 1
    assert facts["parameters"] == {"max_nodes": "4"}
    assert facts["learned"]["loo_error_"] == estimator.loo_error_


# ------------------------------------------------------------------ versions
def test_every_type_has_a_name_of_its_own():
    assert len(NAMES) == len({*ESTIMATORS, *PARTS.values(), *PREPROCESSING, *TARGETS, *TABLES})
    assert not NAMES.keys() & OLD_PARTS.keys()


def test_private_attributes_have_names_that_are_no_others(fitted):
    model, _ = fitted
    model = model[-1] if isinstance(model, Pipeline) else model
    assert not ATTRIBUTES.keys() & (vars(model).keys() | set(model.get_params()))
    assert all(len(set(names)) == len(ATTRIBUTES) for names in (ATTRIBUTES, ATTRIBUTES.values()))


def test_a_private_attribute_without_a_name_is_not_saved(classifier, tmp_path):
    model = copy.copy(classifier[0])
    model._secret = 1
    with pytest.raises(TypeError, match=r"'_secret'.*ATTRIBUTES"):
        drumlin.save(model, tmp_path / "model.drumlin")


def test_files_hold_no_names_of_the_code(fitted, tmp_path):
    """Private attributes, and the solver's types, are not in files."""
    model, _ = fitted
    path = tmp_path / "model.drumlin"
    drumlin.save(model, path)
    tree = json.loads(members(path.read_bytes())["model.json"])["model"]
    if isinstance(model, Pipeline):
        tree = tree["state"]["steps"][-1]["tuple"][1]
    assert not [name for name in tree["state"] if name.startswith("_")]
    assert not [name for name in OLD_PARTS if f'"{name}"' in json.dumps(tree)]


def test_powers_come_back_and_maps_without_say_nothing_of_them(classifier, tmp_path):
    """Readers that know no powers read what has none."""
    path = tmp_path / "model.drumlin"
    for model in (classifier[0], powered_classifier()[0]):
        drumlin.save(model, path)
        tree = json.loads(members(path.read_bytes())["model.json"])["model"]
        powers = model.network_.inputs.powers
        stored = tree["state"]["network_"]["state"]["inputs"]["state"]
        assert ("powers" in stored) == (powers is not None)
        assert_equal_state(drumlin.load(path).network_.inputs.powers, powers)


@pytest.mark.parametrize(("then", "warns"), [("0.24.2", True), ("1.2.0", False)])
def test_warns_of_another_major_version_of_scikit_learn(saved, then, warns, recwarn):
    def change(manifest):
        manifest["versions"]["scikit-learn"] = then

    saved.write_bytes(edited(saved.read_bytes(), "manifest.json", change))
    drumlin.load(saved)
    assert [str(w.message).split(",")[0] for w in recwarn] == warns * [
        f"The model was saved with scikit-learn {then}"
    ]


def test_warns_of_another_minor_version_where_scikit_learn_prepares_the_inputs(
    table_model, tmp_path
):
    def change(manifest):
        manifest["versions"]["scikit-learn"] = "1.2.0"

    path = tmp_path / "model.drumlin"
    drumlin.save(table_model, path)
    path.write_bytes(edited(path.read_bytes(), "manifest.json", change))
    with pytest.warns(UserWarning, match=r"saved with scikit-learn 1\.2\.0") as caught:
        drumlin.load(path)
    assert caught[0].filename == __file__


def test_files_of_a_newer_version_load_if_they_say_so(saved, classifier):
    def newer(manifest):
        manifest.update(version=3, colour="green")

    def more(tree):
        tree["comment"] = "for readers of version 3"

    content = edited(saved.read_bytes(), "manifest.json", newer)
    saved.write_bytes(edited(content, "model.json", more))
    assert_same_answers(drumlin.load(saved), *classifier)
    assert describe(saved)["version"] == 3


def test_parameters_that_an_older_version_did_not_have_get_defaults(saved, classifier):
    def older(tree):
        del tree["model"]["state"]["max_bytes"]

    saved.write_bytes(edited(saved.read_bytes(), "model.json", older))
    assert drumlin.load(saved).max_bytes is None


def test_pipeline_is_what_comes_back(table_model, tmp_path):
    assert isinstance(round_trip(table_model, tmp_path), Pipeline)
