"""Steps of scikit-learn before a network: saved, loaded, and refused where they contradict."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    MinMaxScaler,
    OrdinalEncoder,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)

import drumlin
from drumlin import ForwardRBFClassifier, export
from drumlin.io import ModelFileError
from tests.helpers import IDENTITY, assert_close
from tests.io.models import assert_same_answers, edited

rng = np.random.default_rng(5)
X = np.exp(rng.normal(size=(60, 2)))
WORDS = rng.choice(np.array(["a", "b", "c"], dtype=object), (60, 2))
Y = (X[:, 0] + (WORDS[:, 0] == "a") > 1.5).astype(int) + (X[:, 1] > 1.0)

METHOD = {"quantile_method": "averaged_inverted_cdf"}
STEPS = {
    "bins": (KBinsDiscretizer(4, encode="onehot-dense", **METHOD), X),
    "ordered bins": (KBinsDiscretizer([3, 5], encode="ordinal", **METHOD), X),
    "logarithms": (FunctionTransformer(np.log, np.exp), X),
    "minmax": (MinMaxScaler(), X),
    "robust": (RobustScaler(), X),
    "uncentered": (RobustScaler(with_centering=False, with_scaling=False), X),
    "power": (PowerTransformer(), X),
    "power alone": (PowerTransformer(standardize=False), X),
    "quantiles": (QuantileTransformer(n_quantiles=10, output_distribution="normal"), X),
    "ordinal": (OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), WORDS),
    "target": (TargetEncoder(), WORDS),
    "union": (FeatureUnion([("a", StandardScaler()), ("b", MinMaxScaler())]), X),
    "union of texts": (FeatureUnion([("a", OrdinalEncoder()), ("b", TargetEncoder())]), WORDS),
}


@pytest.fixture(scope="module", params=list(STEPS))
def fitted(request):
    step, rows = STEPS[request.param]
    return make_pipeline(step, ForwardRBFClassifier(2.0, max_nodes=3)).fit(rows, Y), rows


def test_round_trip(fitted, tmp_path):
    model, rows = fitted
    drumlin.save(model, tmp_path / "m.drumlin")
    assert_same_answers(drumlin.load(tmp_path / "m.drumlin"), model, rows)


SPOILT = {
    "transformer_list": [1.5],
    "func": {"function": "system"},
    "kw_args": {"dict": {"out": 1}},
}


@pytest.mark.parametrize(("name", "attribute", "match"), [
    ("minmax", "min_", r"MinMaxScaler.min_ must be an array of shape \(2,\)"),
    ("robust", "center_", r"RobustScaler.center_ must be an array of shape \(2,\)"),
    ("power", "lambdas_", r"PowerTransformer.lambdas_ must be an array of shape \(2,\)"),
    ("quantiles", "quantiles_", r"QuantileTransformer.quantiles_ must be an array of shape"),
    ("ordinal", "categories_", "categories of a OrdinalEncoder are not one array"),
    ("target", "encodings_", "encodings of a TargetEncoder are not one number"),
    ("union", "transformer_list", "FeatureUnion.transformer_list must be a list"),
    ("bins", "n_bins_", "KBinsDiscretizer must have edges and bins of 2 features"),
    ("bins", "bin_edges_", "edges of a KBinsDiscretizer must be a list"),
    ("bins", "_encoder", "must be a OneHotEncoder of its bins"),
    ("logarithms", "func", "is none of the functions"),
    ("logarithms", "kw_args", "kw_args must be empty"),
])  # fmt: skip
def test_what_contradicts_is_refused(name, attribute, match, tmp_path):
    step, rows = STEPS[name]
    model = make_pipeline(step, ForwardRBFClassifier(2.0, max_nodes=2)).fit(rows, Y)
    path = tmp_path / "m.drumlin"
    drumlin.save(model, path)

    def spoil(tree):
        first = tree["model"]["state"]["steps"][0]["tuple"][1]["state"]
        first[attribute] = SPOILT.get(attribute, {"tuple": []})

    path.write_bytes(edited(path.read_bytes(), "model.json", spoil))
    with pytest.raises(ModelFileError, match=match):
        drumlin.load(path)


@pytest.mark.parametrize("name", ["minmax", "robust", "uncentered"])
def test_scalers_are_exported(name):
    step, rows = STEPS[name]
    model = make_pipeline(step, ForwardRBFClassifier(2.0, max_nodes=3)).fit(rows, Y)
    made: dict = {}
    exec(export.to_python(model), made)
    answers = [made["predict"](row)["probabilities"] for row in rows[:9].tolist()]
    assert_close(np.array(answers), model.predict_proba(rows[:9]), IDENTITY)
