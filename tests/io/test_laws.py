"""Files with arrays that do not fit each other, or numbers that mean nothing, do not load."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from sklearn.svm import SVC

import drumlin
from drumlin import (
    ForwardRBFClassifier,
    NadarayaWatsonClassifier,
    RBFNetworkClassifier,
    RBFNetworkRegressor,
)
from drumlin.estimators.compressed import CompressedClassifier
from drumlin.io import ModelFileError, estimator_laws, files, layouts
from drumlin.io.registry import ESTIMATORS
from tests.io.edits import Draft
from tests.io.models import fit
from tests.powered import powered_classifier


def assert_refused(draft, path, reason=None):
    path.write_bytes(draft.content())
    with pytest.raises(ModelFileError, match=reason) as caught:
        drumlin.load(path)
    assert str(path) in str(caught.value)
    assert len(str(caught.value)) < len(str(path)) + 400


@pytest.fixture
def draft_of(tmp_path):
    """Saves a model; returns its file taken apart."""

    def make(model):
        drumlin.save(model, tmp_path / "good.drumlin")
        return Draft((tmp_path / "good.drumlin").read_bytes())

    return make


@cache
def compressed(kind):
    """A compressed classifier; of an SVC without data."""
    return fit(kind())[0]


def resized(array, axis, change):
    """Return an array with one row (or column ...) less or more."""
    if change < 0:
        return np.ascontiguousarray(np.delete(array, -1, axis=axis))
    return np.concatenate([array, np.take(array, [-1], axis=axis)], axis=axis)


def test_every_estimator_has_layouts_and_a_law():
    assert set(layouts.ESTIMATORS) == set(ESTIMATORS) == set(estimator_laws._LAWS)


def test_every_array_must_fit_the_others(fitted, draft_of, tmp_path, monkeypatch):
    model = fitted[0]
    if hasattr(model, "steps"):
        pytest.skip("its last step is tested as it is")
    good = draft_of(model).content()
    # The laws alone must see it: no kernel may run on such arrays.
    monkeypatch.setattr(files, "try_model", lambda _: None)
    n_tried = 0
    for name in {**layouts._EVERY, **layouts.ESTIMATORS[type(model)]}:
        array = Draft(good).array(name.rstrip("?"))
        for axis in range(0 if array is None else array.ndim):
            for change in (-1, 1) if array.shape[axis] else ():
                changed = resized(array, axis, change)
                draft = Draft(good).set(name.rstrip("?"), changed)
                assert_refused(draft, tmp_path / "bad.drumlin")
                n_tried += 1
    # A network alone has the fewest arrays.
    assert n_tried > (15 if isinstance(model, CompressedClassifier) else 20)


@pytest.fixture
def stream(draft_of):
    """The file of a network that learns sample by sample and forgets."""
    return draft_of(fit(RBFNetworkRegressor(4, forgetting=0.99))[0])


@pytest.mark.parametrize("name", ["cost", "totals"])
def test_short_factors_of_a_stream(name, stream, tmp_path):
    stream.set(f"learner.posterior.factor.{name}", np.ones(5))
    assert_refused(stream, tmp_path / "x", f"'.*{name}'")


@pytest.mark.parametrize(("name", "value", "reason"), [
    ("learner.posterior.factor.A", np.zeros((4, 4)), "singular"),
    ("learner.posterior.factor.cost", -np.ones(1), "cost is negative"),
    ("learner.posterior.factor.penalties", -np.ones(4), "penalties is negative"),
    ("learner.posterior.factor.totals", np.array([1.0, -1.0]), "totals is negative"),
    ("learner.posterior.factor.totals", np.array([1.0, 1e300]), "not whole"),
    ("learner.posterior.factor.totals", np.array([1.0, 0.5]), "not whole"),
    ("learner.alpha", -1.0, "positive penalty"),
    ("learner.forgetting", 2.0, "forgetting in the range"),
    ("units.target_scale", np.zeros(1), "scale of the targets"),
    ("placed.widths", np.zeros(4), "a width"),
    ("learner", None, "no weights that can learn"),
    ("squared_errors", ["a"], "list of numbers"),
    ("n_samples_seen_", "many", "must be an int"),
    ("weight_seen", -1.0, "positive finite number"),
    ("single_output", False, None),
    ("single_output", 1, "single_output"),
])  # fmt: skip
def test_streams_with_numbers_that_mean_nothing(name, value, reason, stream, tmp_path):
    stream.set(name, value)
    if reason is not None:
        assert_refused(stream, tmp_path / "x", reason)
    else:  # a column of answers instead of a row is as good
        (tmp_path / "x").write_bytes(stream.content())
        drumlin.load(tmp_path / "x")


def test_labels_to_calibrate_on(draft_of, tmp_path):
    model = fit(RBFNetworkClassifier(4))[0]
    for label in (3, -1, 10**9):
        draft = draft_of(model)
        labels = draft.array("predicted.labels").copy()
        labels[0] = label
        assert_refused(draft.set("predicted.labels", labels), tmp_path / "x", "labels from 0 to 2")


@pytest.mark.parametrize(("name", "value", "reason"), [
    ("temperature_", None, "temperature_ must be a number|no temperature"),
    ("temperature_", -1.0, "not negative"),
    ("compression_", [1.0], "compression_ must be a dict of numbers"),
    ("compression_.error", "none", "compression_ must be a dict of numbers"),
    ("data_range.0", np.full(3, 1e9), "_data_range must ascend"),
    ("data_range.1", np.ones(2), "_data_range"),
    ("distance_quantiles", -np.ones(201), "must ascend from 0"),
    ("classes_", None, "classes"),
    ("n_nodes_", 99, "n_nodes_ must be"),
])  # fmt: skip
@pytest.mark.parametrize("kind", [CompressedClassifier, SVC])
def test_compressed_models_with_numbers_that_mean_nothing(kind, name, value, reason, tmp_path):
    drumlin.save(compressed(kind), tmp_path / "good")
    draft = Draft((tmp_path / "good").read_bytes())
    assert draft.place(name) is not None
    assert_refused(draft.set(name, value), tmp_path / "x", reason)


@pytest.mark.parametrize("classes", [
    {"texts": ["b", "a", "c"], "shape": [3], "width": 1},
    {"texts": ["a", "a", "b"], "shape": [3], "width": 1},
    {"objects": ["a", 1, "b"], "shape": [3]},
    {"objects": [0.0, {"float": "nan"}, 1.0], "shape": [3]},
    np.array([0.0, 1.0, np.nan]),
    np.array([0, 2, 1]),
    np.array([0, 0, 1]),
])  # fmt: skip
def test_classes_in_disorder(classes, classifier, draft_of, tmp_path):
    draft = draft_of(classifier[0]).set("classes_", classes)
    assert_refused(draft, tmp_path / "x", "classes_ must be in ascending order")


def test_temperatures_below_zero(draft_of, tmp_path):
    model = fit(ForwardRBFClassifier(max_nodes=4))[0]
    for value in (-1.0, {"float": "nan"}, {"float": "inf"}, "hot", True, None):
        draft = draft_of(model).set("temperature_", value)
        assert_refused(draft, tmp_path / "x", "temperature_ must be")
        draft = draft_of(model)
        draft.place("by_size.temperature_")[0]["temperature_"][1] = value
        assert_refused(draft, tmp_path / "x", "by_size")


def test_sizes_set_no_other_attributes(draft_of, tmp_path):
    draft = draft_of(fit(ForwardRBFClassifier(max_nodes=4))[0])
    sizes = draft.place("by_size.temperature_")[0]
    sizes["predict"] = sizes.pop("temperature_")
    assert_refused(draft, tmp_path / "x", "by_size")


def test_local_averages_that_are_no_probabilities(draft_of, tmp_path):
    model = fit(NadarayaWatsonClassifier())[0]
    for value in (-1e300, 0.5, 2.0):
        draft = draft_of(model)
        coef = draft.array("network_.coef").copy()
        coef[3] = value
        assert_refused(draft.set("network_.coef", coef), tmp_path / "x", "to one class")
    draft = draft_of(model).set("network_.intercept", np.array([0.0, 1.0, 0.0]))
    assert_refused(draft, tmp_path / "x", "no intercept")


# ------------------------------------------------------------------ powers of inputs
@pytest.mark.parametrize(("name", "value", "reason"), [
    ("power", np.array([3.0, 1.0, 0.4, 1.7]), "within 0 and 2"),
    ("power", np.array([-0.1, 1.0, 0.4, 1.7]), "within 0 and 2"),
    ("power", np.array([np.nan, 1.0, 0.4, 1.7]), "within 0 and 2"),
    ("power", np.ones(3), "power"),
    ("power", np.ones((4, 1)), "power"),
    ("power", np.ones(4, dtype=np.int64), "Powers.power is not"),
    ("power", None, "Powers.power is not"),
    ("scaler", None, "Powers.scaler is not"),
    ("scaler.shift", np.full(4, np.inf), "a shift of the inputs"),
    ("scaler.shift", np.zeros(5), "Standardizer needs"),
    ("scaler.scale", np.zeros(4), "a scale of the inputs"),
    ("scaler.scale", np.ones(3), "scale"),
])  # fmt: skip
def test_powers_that_there_cannot_be(name, value, reason, draft_of, tmp_path):
    draft = draft_of(powered_classifier()[0])
    draft.set(f"network_.inputs.powers.{name}", value)
    assert_refused(draft, tmp_path / "x", reason)


@pytest.mark.parametrize("name", ["power", "scaler"])
def test_powers_without_a_part(name, draft_of, tmp_path):
    draft = draft_of(powered_classifier()[0])
    del draft.place(f"network_.inputs.powers.{name}")[0][name]
    assert_refused(draft, tmp_path / "x", rf"Powers lacks \['{name}'\]")


def test_powers_of_other_inputs(draft_of, tmp_path):
    """Powers that agree in themselves, but not with the map that holds them."""
    draft = draft_of(powered_classifier()[0])
    for name in ("power", "scaler.shift", "scaler.scale"):
        draft.set(f"network_.inputs.powers.{name}", np.ones(3))
    assert_refused(draft, tmp_path / "x", "InputMap")


# ------------------------------------------------------------------ random states
@pytest.fixture
def seeded(draft_of):
    """The file of a model with a random state, and that state."""
    model = ForwardRBFClassifier(max_nodes=2, random_state=np.random.RandomState(3))
    draft = draft_of(fit(model)[0])
    return draft, draft.place("random_state")[0]["random_state"]["random_state"]


@pytest.mark.parametrize(("place", "value", "reason"), [
    (1, 10**9, "position"),
    (1, 625, "position"),
    (1, -1, "position"),
    (1, True, "position"),
    (0, {"dict": {}}, "key of random numbers"),
    (0, "MT19937", "key of random numbers"),
    (2, 2, "kept or is not"),
    (3, {"float": "nan"}, "not finite"),
])  # fmt: skip
def test_random_states_that_there_cannot_be(place, value, reason, seeded, tmp_path):
    draft, state = seeded
    state[place] = value
    assert_refused(draft, tmp_path / "x", reason)


def test_random_keys_that_there_cannot_be(seeded, tmp_path):
    draft, state = seeded
    zero = np.zeros(624, np.uint32)
    for key in (zero[:-1], zero.astype(np.uint64), zero, np.append(np.uint32(1), zero[1:])):
        state[0] = draft.new(key)
        assert_refused(draft, tmp_path / "x", "key of random numbers")
    state[:] = state[:2]
    assert_refused(draft, tmp_path / "x", "4 parts")
