"""Files of older versions load and answer as they did (``make_golden.py`` wrote them)."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

import drumlin
from drumlin.io import describe
from tests.helpers import EXACT, assert_close
from tests.io.models import everything

FILES = sorted((Path(__file__).parent / "golden").glob("*.drumlin"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_files_load_and_answer_as_they_did(path):
    golden = json.loads(path.with_suffix(".json").read_text())
    X = golden["inputs"]
    if isinstance(X, dict):
        pd = pytest.importorskip("pandas")
        X = pd.DataFrame(X["data"], columns=X["columns"])
        X = X.where(X.notna(), np.nan)  # JSON's null, which pandas 2 leaves a None
    else:
        X = np.array(X)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The model was saved with scikit-learn")
        model = drumlin.load(path)
    answers = everything(model, X)
    assert set(golden["answers"]) <= set(answers)
    for name, expected in golden["answers"].items():
        if isinstance(expected[0], str):
            assert answers[name].tolist() == expected
        else:
            assert_close(answers[name], expected, EXACT, err_msg=name)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_files_can_be_described(path):
    about = describe(path)
    assert path.stem.startswith(f"v{about['version']}-")
    assert about["facts"]["n_nodes"] > 0


def test_there_is_a_golden_file_of_every_version_and_kind():
    assert {f"v1-{name}" for name in ("DrumlinClassifier", "DrumlinRegressor", "table")} <= {
        path.stem for path in FILES
    }
