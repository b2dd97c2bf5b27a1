"""The sparse kernel logistic regression: what it learns, promises and refuses."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from scipy.special import softmax
from sklearn.datasets import load_breast_cancer, load_iris, make_moons
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV

from drumlin import SparseKernelLogisticRegression, presets
from drumlin.basis import Gaussian, Nodes
from drumlin.linear.logistic import LogisticProblem
from drumlin.search import GeneticSearch, GreedySearch, Search, SearchResult
from drumlin.selection.subset_cost import KernelColumns, SubsetBIC
from tests.estimators import tables
from tests.helpers import IDENTITY, REFERENCE, assert_close

SEARCHES = {"greedy": GreedySearch(), "genetic": GeneticSearch(20, 5)}


def quick(search="greedy", **settings):
    given = {"width": [2.0, 1.0], "alpha": [0.01, 0.001]}
    return SparseKernelLogisticRegression(search=SEARCHES[search], **(given | settings))


@functools.cache
def quick_fit(data, seed, search="greedy"):
    """The quick model of a search, fitted once to moons or blobs: it is not to be changed."""
    return quick(search).fit(*getattr(tables, data)(seed))


@pytest.fixture(params=sorted(SEARCHES))
def search(request):
    return request.param


@pytest.fixture
def quick_model(search, classes, seed):
    """Every search, with every number of classes."""
    return quick_fit("moons" if len(np.unique(classes[1])) == 2 else "blobs", seed, search)


# ------------------------------------------------------------------ what is learned
def test_scores_are_the_formula(quick_model, classes):
    X, model = classes[0], quick_model
    mean, scale = X.mean(axis=0), X.std(axis=0)
    Z, centers = (X - mean) / scale, (model.centers_ - mean) / scale
    r2 = ((Z[:, None] - centers) ** 2).sum(axis=2) / model.width_**2
    scores = np.exp(-0.5 * r2) @ model.coef_.T + model.intercept_
    decision = model.decision_function(X)
    assert_close(decision, scores[:, 0] if len(model.classes_) == 2 else scores)
    if len(model.classes_) == 2:
        scores = np.column_stack([np.zeros(len(X)), scores])
    assert_close(model.predict_proba(X), softmax(scores, axis=1))


def test_probabilities(quick_model, classes):
    X, model = classes[0], quick_model
    far = np.vstack([X, 1e3 * X, 1e-3 * X])
    probabilities = model.predict_proba(far)
    assert_close(probabilities.sum(axis=1), 1.0)
    np.testing.assert_array_equal(model.classes_[probabilities.argmax(axis=1)], model.predict(far))


def test_centers_are_training_rows(quick_model, classes):
    X, model = classes[0], quick_model
    np.testing.assert_array_equal(model.centers_, X[model.support_])
    assert model.n_nodes_ == len(model.support_) == len(set(model.support_)) > 0
    assert_close(model.widths_, model.width_ * X.std(axis=0) * np.ones_like(model.centers_))


def test_bic_is_that_of_the_model(quick_model, classes):
    """Recomputed from the attributes alone."""
    X, y = classes
    model = quick_model
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    labels = np.unique(y, return_inverse=True)[1]
    plain = LogisticProblem(labels, np.ones(len(X)), len(model.classes_))
    problem = plain.compared_with(model.reference_)
    columns = KernelColumns.of_width(Z, np.arange(len(X)), model.width_, Gaussian())
    cost = SubsetBIC(columns, problem, model.alpha_, 100, prior=model.model_prior)
    assert_close(model.bic_, cost.fit([model.support_])[2][0], REFERENCE)
    assert_close(model.bic_, model.search_path_["bic"][-1], REFERENCE)
    assert_close(model.bic_, model.grid_path_["bic"].min(), REFERENCE)


@pytest.mark.parametrize("search", ["greedy"])
def test_the_gradient_vanishes_at_the_weights(quick_model, classes):
    """Score equations of (5) and (16) in the weights that the model shows."""
    X, y = classes
    model = quick_model
    Phi = model.network_.activations(X)
    K = model.network_.activations(model.centers_)
    others = np.delete(np.arange(len(model.classes_)), model.reference_)
    indicators = (y == model.classes_[others, None]).astype(float)
    residuals = indicators - model.predict_proba(X).T[others]
    coef = model.coef_ if len(model.classes_) == 2 else model.coef_[others]
    pull = len(X) * model.alpha_[:, None] * (coef @ K)
    assert_close(residuals @ Phi.T, pull, REFERENCE)
    assert_close(residuals.sum(axis=1), 0.0, REFERENCE)


def test_search_path_is_figure_2(search, seed):
    model = quick_fit("blobs", seed, search)
    bic, size = model.search_path_["bic"], model.search_path_["n_nodes"]
    assert len(bic) == len(size) > 1
    assert (np.diff(bic) <= 0.0).all()
    assert size[-1] == model.n_nodes_
    if search == "genetic":
        assert len(bic) == 6


def test_full_grid_path(moons):
    model = quick(grid="full").fit(*moons)
    path = model.grid_path_
    np.testing.assert_array_equal(path["width"], [1.0, 1.0, 2.0, 2.0])
    assert_close(path["alpha"], [0.01, 0.001, 0.01, 0.001])
    assert (path["n_evaluations"] > 0).all()
    assert model.width_ == path["width"][path["bic"].argmin()]


def test_automatic_grids_follow_the_data(moons):
    """Units do not matter, and the number of samples sets the penalties."""
    X, y = moons
    plain = SparseKernelLogisticRegression().fit(X, y)
    moved = SparseKernelLogisticRegression().fit(1e6 * X - 3e6, y)
    np.testing.assert_array_equal(plain.support_, moved.support_)
    assert_close(plain.predict_proba(X), moved.predict_proba(1e6 * X - 3e6), REFERENCE)
    assert set(np.round(np.log10(len(X) * plain.grid_path_["alpha"]), 6)) <= {0, -1, -2}


def test_narrow_widths_are_not_tried_automatically(seed):
    """Of samples that are all far apart only the widest kernels see each other."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 30))
    model = SparseKernelLogisticRegression().fit(X, X[:, 0] + X[:, 1] > 0)
    widths = np.unique(model.grid_path_["width"])
    nearest = np.sort(np.linalg.norm(X[:, None] - X, axis=2), axis=1)[:, 1]
    assert 1 <= len(widths) < 5  # of five
    assert widths.min() > 1.8 * np.median(nearest)  # these were measured before standardising


# ------------------------------------------------------------------ how well
@pytest.mark.parametrize(
    "load, error, size", [(load_iris, 0.06, 8), (load_breast_cancer, 0.06, 15)]
)
def test_known_problems(load, error, size):
    X, y = load(return_X_y=True)
    model = SparseKernelLogisticRegression().fit(X[::2], y[::2])
    assert 1.0 - model.score(X[1::2], y[1::2]) < error
    assert model.n_nodes_ <= size


def test_noise_needs_no_kernel(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(100, 3)), rng.integers(0, 2, 100)
    model = SparseKernelLogisticRegression(5.0, alpha=1e-5).fit(X, y)
    assert model.n_nodes_ == 0
    assert_close(model.predict_proba(X)[:, 1], y.mean())
    assert model.coef_.shape == (1, 0)


def test_greedy_is_no_worse_than_genetic(seed):
    X, y = make_moons(120, noise=0.25, random_state=seed)
    greedy = SparseKernelLogisticRegression([2.0, 1.0]).fit(X, y)
    genetic = SparseKernelLogisticRegression(
        [2.0, 1.0], search=GeneticSearch(50, 30), grid="full"
    ).fit(X, y)
    assert greedy.bic_ <= genetic.bic_ + IDENTITY


# ------------------------------------------------------------------ priors, the reference class
def test_the_default_prior_finds_less_in_noise():
    """With equal priors the best of many subsets wins by chance, and predicts worse for it."""
    losses, sizes = np.empty((6, 2)), np.empty((6, 2))
    for draw in range(6):
        rng = np.random.default_rng([draw])
        X, y = rng.normal(size=(1100, 2)), rng.integers(0, 2, 1100)
        for i, prior in enumerate(("kinds", "equal")):
            model = SparseKernelLogisticRegression(model_prior=prior).fit(X[:100], y[:100])
            losses[draw, i] = log_loss(y[100:], model.predict_proba(X[100:]))
            sizes[draw, i] = model.n_nodes_
    assert (sizes[:, 0] <= sizes[:, 1]).all()
    assert 2.0 * sizes[:, 0].sum() < sizes[:, 1].sum()
    assert losses[:, 0].mean() < losses[:, 1].mean()


def test_given_priors_by_size(blobs):
    X, y = blobs
    none_beyond_two = quick(model_prior=[0.0, 0.0, 0.0]).fit(X, y)
    assert none_beyond_two.n_nodes_ == 2
    assert np.isinf(none_beyond_two.bic(X, y, [0, 1, 2]))
    certain = quick(model_prior=[0.0, -1e6, -1e6]).fit(X, y)
    assert certain.n_nodes_ == 0


def test_reference_is_a_relabelling(search, seed):
    """Contrasts with another class are those of permuted labels with the first."""
    X, y = make_moons(90, noise=0.2, random_state=seed)
    y[::3] = 2
    last = quick(search, reference=-1).fit(X, y)
    order = np.array([1, 2, 0])  # the last becomes the first
    first = quick(search, reference=0).fit(X, order[y])
    np.testing.assert_array_equal(last.support_, first.support_)
    assert_close(last.bic_, first.bic_)
    assert_close(last.predict_proba(X), first.predict_proba(X)[:, order])
    assert_close(last.coef_[2], 0.0)
    assert_close(last.loo_log_loss_, first.loo_log_loss_)


def test_two_classes_have_one_contrast(moons):
    plain, other = (quick(reference=k).fit(*moons) for k in (0, 1))
    assert_close(plain.decision_function(moons[0]), other.decision_function(moons[0]))


def test_bic_of_any_subset(classes):
    """That of the model, of smaller ones, and of one that had nothing else to choose."""
    X, y = classes
    model = quick(width=1.0, alpha=0.01).fit(X, y)
    assert_close(model.bic(X, y, model.support_), model.bic_, REFERENCE)
    without = [model.bic(X, y, np.delete(model.support_, i)) for i in range(model.n_nodes_)]
    assert min(without) > model.bic_
    nothing = quick(width=1.0, alpha=0.01, model_prior=[0.0]).fit(X, y)
    assert nothing.n_nodes_ == 0
    assert_close(model.bic(X, y, []), nothing.bic_, REFERENCE)


@pytest.mark.parametrize("support", [[-1], [80], [0, 0], [0.5], [[0]]])
def test_bad_supports(support, moons, seed):
    with pytest.raises(ValueError, match=r"'support' parameter .* range \[0, 79\]"):
        quick_fit("moons", seed).bic(*moons, support)


def test_bic_chooses_the_reference():
    """The class that gives the subset found the least BIC; the search goes on from there."""
    X, y = make_moons(90, noise=0.2, random_state=0)
    y[::3] = 2
    first = int(np.argmax(np.bincount(y)))
    begun = quick(reference=first).fit(X, y)
    chosen = quick().fit(X, y)
    begun.alpha_ = np.full(2, np.exp(np.log(begun.alpha_).mean()))
    values = []
    for begun.reference_ in range(3):
        values.append(begun.bic(X, y, begun.support_))
    assert np.argmin(values) == chosen.reference_ != first
    assert chosen.bic_ < begun.bic_
    assert len(chosen.grid_path_["bic"]) > len(begun.grid_path_["bic"])
    assert_close(chosen.coef_[chosen.reference_], 0.0)


def test_targets_compared_with_another_class(seed):
    rng = np.random.default_rng(seed)
    labels, n_classes = rng.integers(4, size=30), 4
    plain = LogisticProblem(labels, rng.uniform(1.0, 2.0, 30), n_classes)
    for reference in range(n_classes):
        problem = plain.compared_with(3).compared_with(reference)
        assert problem.reference == reference
        order = np.r_[reference, np.delete(np.arange(n_classes), reference)]
        np.testing.assert_array_equal(order[problem.labels], labels)


def test_reference_must_be_a_class(blobs):
    with pytest.raises(ValueError, match=r"'reference' parameter .* 4 classes. Got 4"):
        quick(reference=4).fit(*blobs)


# ------------------------------------------------------------------ weights
def test_integer_weights_are_repeated_rows(search, classes, seed):
    X, y = classes
    counts = np.random.default_rng(seed).integers(0, 3, len(X))
    counts[np.unique(y, return_index=True)[1]] = 1
    weighted = quick(search).fit(X, y, sample_weight=counts)
    repeated = quick(search).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    np.testing.assert_array_equal(weighted.centers_, repeated.centers_)
    assert_close(weighted.bic_, repeated.bic_)
    assert_close(weighted.predict_proba(X), repeated.predict_proba(X))


def test_class_weights_are_sample_weights(blobs):
    X, y = blobs
    factors = {0: 1.0, 1: 3.0, 2: 0.5, 3: 2.0}
    by_class = quick(class_weight=factors).fit(X, y)
    by_sample = quick().fit(X, y, sample_weight=[factors[k] for k in y])
    np.testing.assert_array_equal(by_class.support_, by_sample.support_)
    assert_close(by_class.predict_proba(X), by_sample.predict_proba(X))
    assert by_class.loo_log_loss_ > by_sample.loo_log_loss_  # a sample left out, not one copy of 3


def test_balanced_classes(moons):
    X, y = moons
    keep = (y == 0) | (np.arange(len(y)) % 4 == 0)
    balanced = quick(class_weight="balanced").fit(X[keep], y[keep])
    plain = quick().fit(X[keep], y[keep])
    assert balanced.predict_proba(X)[:, 1].mean() > plain.predict_proba(X)[:, 1].mean() + 0.05


# ------------------------------------------------------------------ smaller models
def test_truncate(quick_model, classes):
    X, model = classes[0], quick_model
    scores = model.decision_function(X)
    for size in range(model.n_nodes_, 0, -1):
        smaller = model.truncate(size)
        assert smaller.n_nodes_ == len(smaller.centers_) == size
        assert set(smaller.support_) <= set(model.support_)
        np.testing.assert_array_equal(smaller.centers_, X[smaller.support_])
        assert np.isnan(smaller.bic_) == (size < model.n_nodes_)
    np.testing.assert_array_equal(model.decision_function(X), scores)
    assert smaller.truncate(1).n_nodes_ == 1


def test_truncate_step_by_step(blobs, seed):
    X, _ = blobs
    model = quick_fit("blobs", seed)
    assert model.n_nodes_ >= 3
    at_once = model.truncate(model.n_nodes_ - 2)
    in_steps = model.truncate(model.n_nodes_ - 1).truncate(model.n_nodes_ - 2)
    assert_close(at_once.decision_function(X), in_steps.decision_function(X))


def test_truncated_weights_are_nearly_those_of_a_fit(seed):
    """The quadratic model of one contrast is exact to second order in what is dropped."""
    X, y = make_moons(200, noise=0.3, random_state=seed)
    model = quick(alpha=0.05).fit(X, y)
    smaller = model.truncate(model.n_nodes_ - 1)
    refit = _fit_given(smaller, X, y)
    before = _fit_given(model, X, y)
    change = np.abs(before - refit).max()
    assert np.abs(smaller.decision_function(X) - refit).max() < 0.5 * change


def _fit_given(model, X, y):
    """Scores of the penalised fit on the kernels of a model."""
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    columns = KernelColumns.of_width(Z, model.support_, model.width_, Gaussian())
    problem = LogisticProblem(y, np.ones(len(X)), 2)
    cost = SubsetBIC(columns, problem, model.alpha_, 100)
    return cost.fit([np.arange(len(model.support_))])[1].scores[0, 0]


# ------------------------------------------------------------------ limits
def test_max_nodes(search, blobs):
    model = quick(search, max_nodes=2).fit(*blobs)
    assert model.n_nodes_ <= 2


def test_candidates(blobs):
    X, y = blobs
    few = quick(candidates=10).fit(X, y)
    again = quick(candidates=10).fit(X, y)
    other = quick(candidates=10, random_state=1).fit(X, y)
    np.testing.assert_array_equal(few.support_, again.support_)
    assert few.n_nodes_ <= 10
    assert set(few.support_) != set(other.support_)


def test_time_limit_warns_and_keeps_the_best(search, blobs):
    X, y = blobs
    with pytest.warns(ConvergenceWarning, match=r"'time_limit' \(1e-09 s\) in search 1") as caught:
        model = quick(search, time_limit=1e-9).fit(X, y)
    assert caught[0].filename == __file__
    assert len(model.search_path_["bic"]) == 1
    assert model.predict(X).shape == y.shape


class Everything(Search):
    """Takes all candidates, whatever they cost."""

    def minimize(self, cost, space, rng, *, start=None, on_iteration=None):
        x = np.ones(space.n_bits, dtype=bool)
        value = float(cost(x[None])[0])
        result = SearchResult(x, value, [value], 1)
        on_iteration(result)
        return result


@pytest.mark.parametrize("alpha", [1e-6, 1e-12, 1e-200])
def test_separable_classes_and_no_penalty(alpha, seed):
    """Finite numbers, never NaN, and advice where the weights run away."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 2))
    y = X[:, 0] > 0
    model = SparseKernelLogisticRegression(1.0, alpha=alpha, search=Everything())
    if alpha < 1e-100:
        with pytest.warns(ConvergenceWarning, match="a larger 'alpha' helps"):
            model.fit(X, y)
    else:
        model.fit(X, y)
    assert model.n_nodes_ == 30
    assert model.score(X, y) == 1.0
    assert np.isfinite(model.bic_)
    assert np.isfinite(model.predict_proba(X)).all()


def test_hopeless_penalties_buy_no_kernel(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 2))
    model = SparseKernelLogisticRegression(1.0, alpha=1e-200).fit(X, X[:, 0] > 0)
    assert model.n_nodes_ == 0


# ------------------------------------------------------------------ refusals
@pytest.mark.parametrize(
    "name, value, rule",
    [
        ("width", 0.0, "'auto'"),
        ("width", -1.0, "'auto'"),
        ("width", [], r"a positive number or a list of positive numbers. Got \[\]"),
        ("width", [1.0, -2.0], r"list of positive numbers. Got \[1.0, -2.0\]"),
        ("width", [[1.0]], "list of positive numbers"),
        ("width", ["wide"], "list of positive numbers"),
        ("alpha", 0.0, "'auto'"),
        ("alpha", [0.0, 1.0], r"list of positive numbers. Got \[0.0, 1.0\]"),
        ("alpha", [np.nan], "list of positive numbers"),
        ("alpha", [np.inf], "list of positive numbers"),
        ("search", "annealing", "'genetic'"),
        ("search", GreedySearch, "drumlin.search.base.Search"),
        ("grid", "half", "'full'"),
        ("model_prior", "flat", "'kinds'"),
        ("model_prior", [], r"logarithms for 0, 1, ... kernels. Got \[\]"),
        ("model_prior", [0.0, np.nan], "logarithms for 0, 1"),
        ("reference", 0.5, "int"),
        ("candidates", 0, r"range \[1, inf\)"),
        ("candidates", 81, r"not exceed .* 80. Got 81"),
        ("max_nodes", 0, r"range \[1, inf\)"),
        ("time_limit", 0.0, r"range \(0.0, inf\)"),
        ("time_limit", "soon", "float"),
        ("class_weight", "heavy", "'balanced'"),
        ("random_state", "dice", "RandomState"),
    ],
)
def test_bad_parameters(name, value, rule, moons):
    message = rf"(?s)The '{name}' parameter of SparseKernelLogisticRegression must .*{rule}"
    with pytest.raises(ValueError, match=message):
        SparseKernelLogisticRegression(**{name: value}).fit(*moons)


def test_one_class(moons):
    with pytest.raises(ValueError, match=r"at least two classes in 'y'.*Got 1 class: \[3\]"):
        SparseKernelLogisticRegression().fit(moons[0], np.full(80, 3))


def test_unfitted(moons):
    for method in ("predict", "predict_proba", "decision_function"):
        with pytest.raises(NotFittedError):
            getattr(SparseKernelLogisticRegression(), method)(moons[0])
    with pytest.raises(NotFittedError):
        SparseKernelLogisticRegression().truncate(1)


@pytest.mark.parametrize("size", [0, -1, 1000, 1.5, "one"])
def test_bad_sizes(size, seed):
    model = quick_fit("moons", seed)
    with pytest.raises(ValueError, match=r"'n_nodes' parameter .* range \[1, \d+\]"):
        model.truncate(size)


@pytest.mark.parametrize(
    "change",
    [
        lambda X: np.repeat(X[:4], 20, axis=0),  # four places only
        lambda X: np.column_stack([X, np.full(len(X), 7.0)]),  # a constant input
        lambda X: 1e150 * X,
        lambda X: 1e-150 * X,
        lambda X: np.zeros_like(X),  # nothing to see
    ],
    ids=["duplicates", "constant", "huge", "tiny", "all equal"],
)
def test_odd_inputs(change, moons):
    X, y = change(moons[0]), moons[1]
    model = SparseKernelLogisticRegression().fit(X, y)
    assert np.isfinite(model.predict_proba(X)).all()
    assert np.isfinite(model.bic_)
    assert model.score(X, y) >= 0.5


def test_two_samples():
    model = SparseKernelLogisticRegression().fit([[0.0], [1.0]], ["a", "b"])
    assert np.isfinite(model.predict_proba([[0.0], [1.0], [5.0]])).all()


# ------------------------------------------------------------------ company
def test_grid_search(moons):
    X, y = moons
    grid = {"search": ["greedy"], "alpha": [0.1, 0.001], "max_nodes": [1, 5]}
    found = GridSearchCV(SparseKernelLogisticRegression(1.0), grid, cv=3).fit(X, y)
    assert found.best_params_["max_nodes"] == 5


def test_words_and_names(moons):
    pd = pytest.importorskip("pandas")
    X, y = moons
    frame = pd.DataFrame(X, columns=["left", "right"])
    model = quick().fit(frame, np.where(y == 1, "one", "nil"))
    np.testing.assert_array_equal(model.feature_names_in_, ["left", "right"])
    np.testing.assert_array_equal(model.classes_, ["nil", "one"])
    np.testing.assert_array_equal(model.predict(frame) == "one", model.decision_function(frame) > 0)


def test_preset():
    model = presets("ando2004")
    assert isinstance(model, SparseKernelLogisticRegression)
    assert (model.search, model.grid, model.standardize) == ("genetic", "full", True)
    assert not presets("ando2004", dataset="vowel").standardize


def test_nodes_are_gaussian(seed):
    model = quick_fit("moons", seed)
    assert isinstance(model.network_.nodes, Nodes)
    assert isinstance(model.network_.nodes.radial, Gaussian)
