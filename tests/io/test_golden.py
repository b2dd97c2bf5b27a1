"""Files of older versions load and answer as they did (``make_golden.py`` wrote them)."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

import drumlin
from drumlin.io import describe
from drumlin.io.files import VERSION
from tests.helpers import EXACT, assert_close
from tests.io.models import assert_same_answers, everything

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
    kinds = ("DrumlinClassifier", "DrumlinRegressor", "table")
    wanted = {f"v{version}-{name}" for version in range(1, VERSION + 1) for name in kinds}
    assert wanted <= {path.stem for path in FILES}


@pytest.mark.parametrize("name", ["DrumlinRegressor", "DrumlinClassifier", "rls"])
def test_files_of_version_1_are_saved_as_those_of_today(name, tmp_path):
    folder = Path(__file__).parent / "golden"
    old, path = drumlin.load(folder / f"v1-{name}.drumlin"), tmp_path / "model.drumlin"
    drumlin.save(old, path)
    X = np.array(json.loads((folder / f"v1-{name}.json").read_text())["inputs"])
    assert describe(path)["version"] == VERSION
    assert_same_answers(drumlin.load(path), old, X)
    if hasattr(old, "_data_range"):
        low, high = old._data_range
        assert ((old.centers_ >= low) & (old.centers_ <= high)).all()
