"""Imitations: how well, how small, and what is said about it."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import check_grad
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.cluster import KMeans
from sklearn.compose import ColumnTransformer
from sklearn.datasets import make_blobs, make_moons
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import drumlin
from drumlin import compression, datasets, export
from drumlin.compression import CompressedClassifier, compress, imitation, reduced
from drumlin.export.python import reference


@pytest.fixture(scope="module")
def moons():
    X, y = make_moons(2000, noise=0.25, random_state=1)
    return X[:1000], y[:1000], X[1000:]


@pytest.fixture(scope="module")
def svm(moons):
    return SVC(gamma=2.0).fit(*moons[:2])


def test_an_svc_by_data(moons, svm):
    small = compress(svm, moons[0], max_nodes=20)
    assert (small.predict(moons[2]) != svm.predict(moons[2])).mean() <= 0.015
    facts = small.compression_
    assert facts["original_vectors"] == len(svm.support_) > 10 * facts["n_nodes"]
    assert facts["n_bytes"] * 10 < facts["original_bytes"]


def test_an_svc_without_data(moons, svm):
    small = compress(svm, max_nodes=20)
    assert (small.predict(moons[2]) != svm.predict(moons[2])).mean() <= 0.01
    assert small.n_nodes_ <= 20


def test_reduced_set_is_exact_where_every_vector_may_stay(moons, svm):
    """Weights for nodes on all support vectors are the vectors' own."""
    x, alpha, gamma = svm.support_vectors_, svm.dual_coef_[0], float(svm._gamma)
    beta, across, _ = reduced._weights(x, x, alpha, gamma)
    # The ridge of 1e-8 moves the function by as little.
    np.testing.assert_allclose(across.T @ beta, across.T @ alpha, atol=1e-5)


def test_descent_follows_the_distance(svm, monkeypatch):
    x, alpha, gamma = svm.support_vectors_, svm.dual_coef_[0], float(svm._gamma)
    seen = {}

    def keep(cost, start, **_):
        seen["error"] = check_grad(lambda v: cost(v)[0], lambda v: cost(v)[1], start)
        seen["slope"] = np.linalg.norm(cost(start)[1])
        raise StopIteration

    monkeypatch.setattr(reduced, "minimize", keep)
    with pytest.raises(StopIteration):
        reduced._descend(x[:5] + 0.1, x, alpha, gamma)
    # Finite differences of a double: the square root of its precision.
    assert seen["error"] < 1e-5 * max(seen["slope"], 1.0)


def test_probabilities_and_several_classes():
    X, y = make_blobs(900, centers=3, cluster_std=2.0, random_state=0)
    names = np.array(["a", "b", "c"])[y]
    bayes = make_pipeline(StandardScaler(), GaussianNB()).fit(X, names)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        small = compress(bayes, X, max_nodes=20)
    assert (small.predict(X) == bayes.predict(X)).mean() > 0.97
    assert np.abs(small.predict_proba(X) - bayes.predict_proba(X)).mean() < 0.06


def test_a_regressor():
    rng = np.random.default_rng(0)
    X = rng.uniform(-2.0, 2.0, size=(600, 2))
    boosted = GradientBoostingRegressor(random_state=0).fit(X, np.sin(2.0 * X[:, 0]) + X[:, 1])
    small = compress(boosted, X, max_error=0.12, max_nodes=40)
    assert small.compression_["error"] <= 0.12


def test_a_compressed_model_can_be_exported(moons, svm):
    small = compress(svm, max_nodes=10, max_error=1.0)
    assert isinstance(small, CompressedClassifier)
    predict = reference(export.describe(small))
    rows = moons[2][:50]
    assert [predict(row.tolist())["label"] for row in rows] == small.predict(rows).tolist()


def test_warns_where_it_is_not_good_enough(moons, svm):
    with pytest.warns(ConvergenceWarning, match="above 'max_error'"):
        compress(svm, max_nodes=3, max_error=0.0)


def test_warns_where_a_refit_is_better(moons):
    X, y = moons[0][:300], moons[1][:300]
    spoiled = SVC(gamma=2.0).fit(X, np.random.default_rng(0).permutation(y))
    with pytest.warns(UserWarning, match="refit to 'y'"), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        facts = compress(spoiled, X, y=y, max_nodes=5).compression_
    assert facts["refit_error"] < facts["target_error"]


@pytest.mark.parametrize("model", [None, SVC, "svm", 3, StandardScaler(), KMeans(2)])
def test_what_is_no_model_is_said(moons, model):
    with pytest.raises(TypeError, match=r"The 'model' parameter of compress must be .* Got"):
        compress(model, moons[0])


def test_what_is_wrong_with_a_model_is_said(moons):
    X, y, _ = moons
    with pytest.raises(NotFittedError, match="The 'model' parameter of compress must be fitted"):
        compress(SVC(), X)
    with pytest.raises(ValueError, match=r"The 'X' parameter of compress .* Got None with SVC"):
        compress(SVC(kernel="linear").fit(X, y))
    with pytest.raises(ValueError, match=r"at least two classes\. Got DummyClassifier"):
        compress(DummyClassifier().fit(X, np.zeros(len(X))), X)
    with pytest.raises(ValueError, match=r"must predict one finite number .* with 2"):
        compress(LinearRegression().fit(X, np.c_[y, y]), X)
    with pytest.raises(ValueError, match="fitted to a sparse matrix"):
        compress(SVC().fit(csr_matrix(X), y))


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"max_nodes": 0}, "max_nodes"),
        ({"max_nodes": 2.5}, "max_nodes"),
        ({"max_nodes": "20"}, "max_nodes"),
        ({"max_nodes": True}, "max_nodes"),
        ({"max_error": -0.1}, "max_error"),
        ({"max_error": float("nan")}, "max_error"),
        ({"max_error": "small"}, "max_error"),
        ({"max_error": None}, "max_error"),
        ({"random_state": -1}, "random_state"),
        ({"random_state": 0.5}, "random_state"),
        ({"random_state": None}, "random_state"),
        ({"y": [0, 1]}, "y"),
        ({"y": 3}, "y"),
        ({"X": [[0.0, 1.0]]}, "X"),
        ({"X": "rows"}, "X"),
        ({"X": [["a", "b"]] * 30}, "X"),
        ({"X": np.full((30, 2), np.nan)}, "X"),
        ({"X": None, "y": [0, 1]}, "y"),
    ],
)
def test_what_is_wrong_with_a_parameter_is_said(moons, svm, options, name):
    options = {"X": moons[0]} | options
    with pytest.raises(ValueError, match=f"(?s)The '{name}' parameter of compress (must|needs)"):
        compress(svm, **options)


def test_few_support_vectors_are_said():
    X = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    with pytest.raises(ValueError, match=r"more support vectors than 5 .* Got 4"):
        compress(SVC(gamma=1.0).fit(X, [0, 1, 0, 1]))


class Rare(ClassifierMixin, BaseEstimator):
    """A classifier of five classes of which it gives the first, the third and the fourth, or one.

    Probabilities of the others are 0.
    """

    def __init__(self, given=(0, 2, 3)):
        self.given = given

    def fit(self, X, y=None):
        self.classes_ = np.array(["a", "b", "c", "d", "e"])
        self.n_features_in_ = X.shape[1]
        return self

    def predict_proba(self, X):
        angle = np.arctan2(X[:, 1], X[:, 0]) + np.pi
        place = np.minimum((len(self.given) * angle / (2.0 * np.pi)).astype(int), 2)
        result = np.zeros((len(X), 5))
        result[np.arange(len(X)), np.array(self.given)[place]] = 1.0
        return result

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


@pytest.mark.parametrize("given", [(0, 2, 3), (1, 4), (2,)])
def test_classes_that_are_never_given(given):
    """Non-regression: labels were those of other classes, probabilities had columns too few."""
    X = np.random.default_rng(0).normal(size=(400, 2))
    teacher = Rare(given).fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        small = compress(teacher, X, max_nodes=10)
    assert small.classes_.tolist() == list("abcde")
    assert (small.predict(X) == teacher.predict(X)).mean() > 0.9
    shares = small.predict_proba(X)
    assert shares.shape == (400, 5)
    others = [k for k in range(5) if k not in given]
    assert shares[:, others].max() < 1e-12
    predict = reference(export.describe(small))
    assert [predict(row.tolist())["label"] for row in X[:20]] == small.predict(X[:20]).tolist()


def test_pairwise_decision_values_are_not_taken_for_classes():
    """Non-regression: three classes have three pairs, so that shapes cannot tell."""
    X, y = make_blobs(200, centers=3, cluster_std=1.5, random_state=0)
    pairs = SVC(decision_function_shape="ovo").fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        small = compress(pairs, X, max_nodes=10)
    assert (small.predict(X) == pairs.predict(X)).mean() > 0.97


def test_error_is_that_of_the_model_returned(moons, svm, monkeypatch):
    """Non-regression: another model was returned than the one whose error is told."""
    seen = []
    honest = compression.difference

    def spy(teacher, made, rows):
        seen.append((made, rows, honest(teacher, made, rows)))
        return seen[-1][2]

    monkeypatch.setattr(compression, "difference", spy)
    small = compress(svm, moons[0], max_nodes=10, max_error=0.05)
    made, rows, error = seen[-1]
    assert made is small and small.compression_["error"] == error
    assert error == (small.predict(rows) != svm.predict(rows)).mean()
    # Of X, only the fifth that is kept apart is among the rows that judge.
    taught = {tuple(row) for row in moons[0]} & {tuple(row) for row in rows}
    assert len(taught) == 200


def test_a_pipeline_that_knows_columns_by_name():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(300, 3)), columns=["a", "b", "c"])
    columns = ColumnTransformer([("scale", StandardScaler(), ["c", "a"])])
    model = make_pipeline(columns, SVC(gamma=0.5)).fit(table, table["a"] > table["c"])
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        small = compress(model, table, max_nodes=10, max_error=0.2)
        assert list(small.feature_names_in_) == ["a", "b", "c"]
        assert (small.predict(table) == model.predict(table)).mean() > 0.85


def test_a_compressed_classifier_answers_every_question(moons, svm):
    small = compress(svm, moons[0], max_nodes=10, max_error=1.0)
    rows = moons[2][:50]
    assert ((small.novelty(rows) >= 0.0) & (small.novelty(rows) <= 1.0)).all()
    assert small.gradient(rows).shape == (50, 1, 2)
    assert small.predict(np.full((1, 2), 1e6), reject=0.0)[0] is None
    assert small.centers_.shape == small.widths_.shape == (small.n_nodes_, 2)
    assert small.relevance_.shape == (2,)


def test_compressed_models_can_be_saved(moons, svm, tmp_path):
    X, _, rows = moons
    regressor = GradientBoostingRegressor(random_state=0).fit(X, X[:, 0])
    for model, given in ((svm, None), (svm, X), (regressor, X)):
        small = compress(model, given, max_nodes=5, max_error=1.0)
        drumlin.save(small, tmp_path / "small.drumlin")
        loaded = drumlin.load(tmp_path / "small.drumlin")
        assert (loaded.predict(rows) == small.predict(rows)).all()
        assert loaded.compression_ == small.compression_


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "with_data", "most"),
    # The bound is 0.01.
    [
        ("banana", True, 0.01),
        ("banana", False, 0.01),
        ("waveform", True, 0.01),
        ("waveform", False, 0.01),
        ("magic", True, 0.01),
        ("magic", False, 0.01),
    ],
)
def test_large_machines_become_twenty_nodes(name, with_data, most, needs_data):
    load = datasets.load_table if name == "magic" else datasets.load_benchmark
    data = load(name, data_home=needs_data)
    order = np.random.default_rng(0).permutation(len(data.X))
    X, y = StandardScaler().fit_transform(data.X)[order], data.y[order]
    large = SVC(gamma=1.0 if name == "banana" else "scale").fit(X[:2000], y[:2000])
    assert len(large.support_) > 300
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        small = compress(large, X[:2000] if with_data else None, max_nodes=20)
    assert small.n_nodes_ <= 20
    assert (small.predict(X[2000:]) != large.predict(X[2000:])).mean() <= most


def test_without_data_only_support_vector_machines(seed):
    """Non-regression: an AttributeError from a check that had not run yet."""
    X = np.random.default_rng(seed).standard_normal((40, 2))
    model = DecisionTreeClassifier().fit(X, X[:, 0] > 0.0)
    with pytest.raises(ValueError, match="SVC"):
        compress(model)


@pytest.mark.parametrize("unit", [1e-200, 1.0, 1e200])
def test_the_error_does_not_depend_on_units(unit, moons):
    X = moons[0][:200]
    model = KNeighborsRegressor(9).fit(X, unit * X[:, 0])
    small = compress(model, X, max_nodes=5, max_error=0.2)
    assert small.compression_["error"] < 0.2


def test_rows_are_moved_by_differences_of_neighbours():
    """Moves are parts of differences between a row and one of its nearest, in all units."""
    X = np.random.default_rng(0).normal(size=(40, 2)) * [1.0, 1e6]
    made = imitation.more_rows(X, 300, np.random.default_rng(1))
    assert made.shape == (300, 2)
    pairs = (X[:, None] - X[None]).reshape(-1, 2) * imitation._SPREAD
    for row in made[:20]:
        moves = (row - X)[:, None] - pairs[None]
        assert np.abs(moves / [1.0, 1e6]).max(axis=2).min() < 1e-9
    assert imitation.more_rows(X, 0, np.random.default_rng(1)).shape == (0, 2)
