"""One unfitted model of every kind that can be saved, and ways to compare fitted ones."""

from __future__ import annotations

import io
import json
import zipfile

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.datasets import make_blobs, make_moons
from sklearn.impute import SimpleImputer
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    OneHotEncoder,
    PowerTransformer,
    StandardScaler,
)
from sklearn.svm import SVC

from drumlin import (
    DrumlinClassifier,
    ForwardRBFClassifier,
    ForwardRBFRegressor,
    RBFNetworkClassifier,
    RBFNetworkRegressor,
    SparseKernelLogisticRegression,
    TunableRBFClassifier,
    compress,
    presets,
)
from drumlin.basis import Multiquadric
from drumlin.criteria import LOOMutualInformation
from drumlin.estimators.compressed import CompressedClassifier
from drumlin.io.registry import ESTIMATORS
from drumlin.io.trial import knows_std
from drumlin.linear import EvidenceRegularizer
from drumlin.search import DifferentialEvolution, GeneticSearch, PolishedSearch, SwarmSearch
from tests.powered import powered_classifier, powered_regressor

# Every estimator as it is: a new one is tested by being exported.
MODELS = {cls.__name__: cls() for cls in ESTIMATORS} | {
    "parts": ForwardRBFClassifier(
        width=[2.0, 4.0],
        criterion=LOOMutualInformation(signed=False),
        regularizer=EvidenceRegularizer(alpha=0.1),
        class_weight={"left": 1.0, "right": 2.5},
        n_jobs=1,
        random_state=np.random.RandomState(3),
    ),
    "multiquadric": ForwardRBFRegressor(radial=Multiquadric(), max_nodes=6),
    "b_spline": ForwardRBFClassifier(1.0, radial="b_spline", fit_intercept=False, max_nodes=4),
    "polished": TunableRBFClassifier(
        PolishedSearch(SwarmSearch(6, 5), n_polish=2), width_range=(0.5, 4.0), max_nodes=3
    ),
    "evolved": TunableRBFClassifier(DifferentialEvolution(6, 5), isotropic=False, max_nodes=3),
    "genetic": SparseKernelLogisticRegression(
        width=2.0, alpha=0.1, search=GeneticSearch(population=10, n_generations=5)
    ),
    "hong2008": presets("hong2008").set_params(width=2.0),
    "pipeline": make_pipeline(StandardScaler(), ForwardRBFRegressor(max_nodes=5)),
    **{solver: RBFNetworkRegressor(4, solver=solver) for solver in ("rls", "lms", "ridge")},
    "exact": RBFNetworkRegressor(centers="all", width=0.05, solver="exact"),
    "descended": RBFNetworkClassifier(4, solver="gradient", max_iter=5),
    "normalized": RBFNetworkClassifier(4, normalized=True, forgetting=0.99),
    "reduced": SVC(gamma=0.1),
}

# Apart from the others: these are made, not fitted by their parameters alone.
POWERED = {"powered classes": powered_classifier, "powered numbers": powered_regressor}


def fit(model):
    """Return the model fitted to a small problem of its kind, and inputs.

    What cannot be fitted is compressed: from three classes with data, or from an SVC without.
    """
    rng = np.random.default_rng(11)
    if isinstance(model, (CompressedClassifier, SVC)):
        return _compressed(rng, with_data=not isinstance(model, SVC))
    if is_classifier(model):
        if getattr(model, "class_weight", None):
            X, y = make_moons(70, noise=0.2, random_state=2)
            y = np.where(y == 0, "left", "right")
        else:
            X, y = make_blobs(70, n_features=3, centers=3, cluster_std=3.0, random_state=2)
    else:
        X = rng.uniform(-2.0, 2.0, size=(70, 2))
        y = np.sin(2.0 * X[:, 0]) + 0.3 * X[:, 1] ** 2 + 0.1 * rng.normal(size=70)
    return clone(model).fit(X, y), np.vstack([X, 50.0 * rng.normal(size=(10, X.shape[1]))])


def _compressed(rng, *, with_data):
    centers = 3 if with_data else 2
    X, y = make_blobs(70, n_features=3, centers=centers, cluster_std=3.0, random_state=2)
    svm = SVC(gamma=0.1).fit(X, np.array(["a", "b", "c"])[y])
    small = compress(svm, X if with_data else None, max_nodes=3, max_error=1.0)
    return small, np.vstack([X, 50.0 * rng.normal(size=(10, 3))])


def mixed_table(n_rows=80):
    """Numbers, categories and truth values, with missing entries, and a class for every row."""
    import pandas as pd

    rng = np.random.default_rng(7)
    table = pd.DataFrame(
        {
            "age": rng.normal(40.0, 12.0, n_rows),
            "fare": rng.exponential(30.0, n_rows),
            "sex": rng.choice(["male", "female"], n_rows),
            "deck": rng.choice(["A", "B", None], n_rows),
            "class": rng.integers(1, 4, n_rows),
            "alone": rng.random(n_rows) < 0.5,
        }
    )
    table.loc[::7, "age"] = np.nan
    survived = (table["sex"] == "female") ^ (rng.random(n_rows) < 0.2)
    return table, np.where(survived, "yes", "no")


def table_pipeline():
    """What ``drumlin fit`` makes of such a table."""
    numbers = make_pipeline(SimpleImputer(add_indicator=True), StandardScaler())
    categories = make_pipeline(
        SimpleImputer(strategy="constant", fill_value="missing"),
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    )
    columns = ColumnTransformer(
        [
            ("numbers", numbers, ["age", "fare"]),
            ("categories", categories, ["sex", "deck"]),
            ("kept", "passthrough", ["class", "alone"]),
        ]
    )
    return make_pipeline(columns, DrumlinClassifier(max_nodes=4))


def encoded_table():
    """What ``drumlin fit`` makes of such a table today; towns become target statistics."""
    from drumlin import make_table_model

    X, y = mixed_table()
    X["town"] = [f"town {i % 7 + 7 * (i % 3)}" for i in range(len(X))]
    X["seen"] = [f"2024-{1 + i % 12:02d}-{1 + i % 28:02d}" for i in range(len(X))]
    X["size"] = np.where(X["fare"] > 20.0, "large", "small").astype(object)
    options = {"max_categories": 10, "min_rows": 2, "kinds": {"size": ["small", "large"]}}
    return make_table_model(DrumlinClassifier(max_nodes=4), **options).fit(X, y), X


def logarithm_of_table():
    """What ``drumlin fit --log-target`` makes of such a table; fares in bins beside."""
    from drumlin import make_table_model

    X, y = mixed_table()
    price = np.exp(X["fare"] / 30.0 + (y == "yes"))
    target = TransformedTargetRegressor(
        ForwardRBFRegressor(2.0, max_nodes=3), func=np.log, inverse_func=np.exp
    )
    return make_table_model(target).fit(X, price), X


def scaled_target():
    """Numbers in bins and roots of them, and a target that a step has scaled around it all."""
    rng = np.random.default_rng(3)
    X = rng.uniform(0.0, 4.0, (60, 2))
    bins = KBinsDiscretizer(
        3, encode="onehot-dense", quantile_method="averaged_inverted_cdf", strategy="uniform"
    )
    union = FeatureUnion([("bins", bins), ("roots", FunctionTransformer(np.sqrt, np.square))])
    pipeline = make_pipeline(union, ForwardRBFRegressor(2.0, max_nodes=3))
    target = TransformedTargetRegressor(pipeline, transformer=PowerTransformer())
    return target.fit(X, np.exp(X[:, 0]) + X[:, 1]), X


METHODS = (
    "predict", "predict_proba", "predict_log_proba", "decision_function", "novelty",
    "contributions", "gradient", "score_samples", "transform", "predict_set", "predict_interval",
)  # fmt: skip


def everything(model, X):
    """Answers of all methods of a model, by name."""
    result = {name: getattr(model, name)(X) for name in METHODS if hasattr(model, name)}
    if knows_std(model):
        result["mean"], result["std"] = model.predict(X, return_std=True)
    return result


def assert_same_answers(actual, expected, X):
    """Assert that all answers are equal to the last bit."""
    ours, theirs = everything(actual, X), everything(expected, X)
    assert ours.keys() == theirs.keys()
    for name, answer in ours.items():
        assert answer.dtype == theirs[name].dtype
        assert answer.tobytes() == theirs[name].tobytes() or (
            answer.dtype == object and answer.tolist() == theirs[name].tolist()
        ), name


def members(content):
    """Members of an archive by name."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


def archive_of(parts):
    """Return an archive of members, compressed as ``save`` does."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in parts.items():
            kind = zipfile.ZIP_STORED if name == "arrays.bin" else zipfile.ZIP_DEFLATED
            archive.writestr(name, content, kind)
    return file.getvalue()


def edited(content, member, edit):
    """Return an archive in which one member's JSON went through a function."""
    parts = members(content)
    value = json.loads(parts[member])
    replaced = edit(value)
    parts[member] = json.dumps(value if replaced is None else replaced).encode()
    return archive_of(parts)
