"""A user's script under ``mypy --strict``: it has no error, and what it gets is known by name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SRC = Path(__file__).parents[1] / "src"

HEAD = """\
import numpy as np

import drumlin
from drumlin import DrumlinClassifier, DrumlinRegressor, TableEncoder, make_table_model
from drumlin.deploy import Deployed, train
from drumlin.io import describe

X = np.zeros((10, 2))
y = np.zeros(10)
model = DrumlinClassifier(max_nodes=3).fit(X, y)
numbers = DrumlinRegressor(loss="huber").fit(X, y, sample_weight=y)
table = make_table_model(DrumlinClassifier(), keep=["id"]).fit(X, y)
drumlin.save(model, "m.drumlin")
"""

FLOATS = "ndarray[tuple[Any, ...], dtype[float64]]"
TRUTHS = "ndarray[tuple[Any, ...], dtype[bool]]"
ANYTHING = "ndarray[tuple[Any, ...], dtype[Any]]"
EXPECTED = {
    "model": "DrumlinClassifier",
    "model.predict(X)": ANYTHING,
    "model.predict(X, reject=0.9)": ANYTHING,
    "model.predict_proba(X)": FLOATS,
    "model.predict_set(X, 0.9, by_class=True)": TRUTHS,
    "model.decision_function(X)": FLOATS,
    "model.novelty(X)": FLOATS,
    "model.contributions(X)": FLOATS,
    "model.gradient(X)": FLOATS,
    "model.explain(X)": "Explanation",
    "model.counterfactual(X[0], 1)": "Counterfactual",
    "model.truncate(2)": "DrumlinClassifier",
    "model.n_nodes_": "int",
    "model.loo_error_": "float",
    "model.relevance_": FLOATS,
    "model.centers_": FLOATS,
    "model.network_": "Network",
    "numbers": "DrumlinRegressor",
    "numbers.predict(X)": FLOATS,
    "numbers.predict(X, return_std=True)": f"tuple[{FLOATS}, {FLOATS}]",
    "numbers.predict_interval(X, 0.9)": FLOATS,
    "drumlin.ForwardRBFClassifier(2.0).fit(X, y)": "ForwardRBFClassifier",
    "drumlin.ForwardRBFRegressor().fit(X, y).predict(X)": FLOATS,
    "drumlin.RBFNetworkClassifier(3).partial_fit(X, y)": "RBFNetworkClassifier",
    "drumlin.RBFNetworkRegressor(3).fit(X, y)": "RBFNetworkRegressor",
    "drumlin.NadarayaWatsonClassifier().fit(X, y)": "NadarayaWatsonClassifier",
    "drumlin.NadarayaWatsonRegressor().fit(X, y)": "NadarayaWatsonRegressor",
    "drumlin.SparseKernelLogisticRegression().fit(X, y)": "SparseKernelLogisticRegression",
    "drumlin.TunableRBFClassifier().fit(X, y)": "TunableRBFClassifier",
    "drumlin.TunableRBFRegressor().fit(X, y)": "TunableRBFRegressor",
    "TableEncoder(keep=['a']).fit(X, y)": "TableEncoder",
    "TableEncoder().by_column(X)": FLOATS,
    "table": "TableModel",
    "table.predict(X)": ANYTHING,
    "table.predict_proba(X)": FLOATS,
    "table.predict_set(X, 0.9)": TRUTHS,
    "table.relevance_": FLOATS,
    "table.encoder_": "TableEncoder",
    "drumlin.load('m.drumlin')": "Model",
    "drumlin.load('m.drumlin').predict(X)": ANYTHING,
    "drumlin.load('m.drumlin', DrumlinClassifier)": "DrumlinClassifier",
    "describe('m.drumlin')": "dict[str, Any]",
    "train('rows.csv', ['a', 'b'])": "Trained",
    "Deployed.load('m.drumlin')": "Deployed",
    "drumlin.export.to_python(model)": "str",
    "drumlin.evaluation.judge(model, X, y).measures": "dict[str, float]",
}


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """Lines of mypy about the script, with the number of the line."""
    api = pytest.importorskip("mypy.api")
    folder = tmp_path_factory.mktemp("types")
    script = folder / "script.py"
    script.write_text(HEAD + "".join(f"reveal_type({line})\n" for line in EXPECTED))
    settings = folder / "mypy.ini"
    settings.write_text(f"[mypy]\nstrict = True\nmypy_path = {SRC}\n")
    # Where mypy has looked at the package before, it need not do so again.
    cache = SRC.parent / ".mypy_cache" / "user"
    told, problems, _ = api.run(
        ["--config-file", str(settings), "--cache-dir", str(cache), str(script)]
    )
    assert not problems
    return re.findall(r"script\.py:(\d+): (\w+): (.*)", told)


def test_a_script_has_no_error(checked):
    assert [line for line in checked if line[1] == "error"] == []


def test_what_it_gets_is_known(checked):
    first = HEAD.count("\n") + 1
    # Without the rooms; NumPy's stubs since 2.1 call truth values bool[bool].
    found = {
        int(number): re.sub(r"\w+\.(?=[\w.]*\w)|\?|(?<=bool)\[bool\]", "", text.split('"')[1])
        for number, _, text in checked
        if text.startswith("Revealed")
    }
    named = {line: found[first + i] for i, line in enumerate(EXPECTED)}
    assert named == EXPECTED
