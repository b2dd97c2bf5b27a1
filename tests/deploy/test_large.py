"""Tables of several files, read piece by piece."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from drumlin._errors import ParameterError, TableError
from drumlin.deploy import Deployed, large, train
from drumlin.deploy.large import Files, parsed_bytes
from drumlin.tables import TableWarning


def make_frame(n=300):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"length": rng.standard_normal(n), "mass": rng.standard_normal(n)})
    frame["code"] = rng.choice(["1", "2", "b"], n)
    frame["bought"] = np.where(frame["length"] + (frame["code"] == "b") > 0.3, "yes", "no")
    frame.loc[::9, "mass"] = np.nan
    frame.loc[::50, "bought"] = None
    return frame


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Three files; in the first of them codes look like numbers."""
    folder, frame = tmp_path_factory.mktemp("files"), make_frame()
    frame = frame.sort_values("code", kind="stable")
    paths = [folder / "a.csv", folder / "b.csv", folder / "c.parquet"]
    parts = [frame[:100], frame[100:200], frame[200:]]
    for path, part in zip(paths, parts, strict=True):
        part.to_csv(path, index=False) if path.suffix == ".csv" else part.to_parquet(path)
    return [str(path) for path in paths]


DROPPED = pytest.mark.filterwarnings("ignore:[0-9]+ rows without a value")


def test_rows_without_a_target_are_counted(files):
    with pytest.warns(TableWarning, match="6 rows without a value of 'bought' are left out"):
        train(files, "bought", max_nodes=1)


@DROPPED
def test_several_files_are_one_table(files):
    trained = train(files, "bought")
    whole = make_frame().sort_values("code", kind="stable").reset_index(drop=True)
    same = train(whole, "bought")
    ours, theirs = trained.fitted.model.network_, same.fitted.model.network_
    np.testing.assert_array_equal(ours.nodes.centers, theirs.nodes.centers)
    np.testing.assert_array_equal(ours.coef, theirs.coef)
    assert trained.deployed.schema.categories == same.deployed.schema.categories == ["code"]
    assert trained.notes["n_train"] == same.notes["n_train"] == 294
    assert trained.notes["file"] == "a.csv and 2 more"


@DROPPED
def test_a_file_within_a_limit_of_memory(files, tmp_path):
    trained = train(files[2], "bought", memory="1MB", test=files[0])
    assert trained.judged is not None
    path = tmp_path / "model.drumlin"
    trained.deployed.save(path)
    answers = Deployed.load(path).predict(make_frame().drop(columns="bought"))
    assert set(answers["prediction"]) == {"no", "yes"}


def test_columns_are_learned_from_a_sample(files, monkeypatch):
    """At random, of all files."""
    monkeypatch.setattr(large, "SAMPLE_ROWS", 60)
    monkeypatch.setattr(large, "read_chunks", lambda path, texts: _chunks(path, texts))
    rows, n_rows = Files(tuple(files), "bought").sample(None, 0)
    assert (len(rows), n_rows) == (60, 294)
    assert set(rows.frame["code"]) == {"1", "2", "b"}
    again, _ = Files(tuple(files), "bought").sample(None, 0)
    pd.testing.assert_frame_equal(again.frame, rows.frame)


def _chunks(path, texts):
    from drumlin.tables import read_chunks

    return read_chunks(path, texts, 20)


@pytest.mark.parametrize(
    "text, expected",
    [("2GB", 2 * 10**9), ("500 mb", 5 * 10**8), ("1GiB", 2**30), (7, 7), ("1.5k", 1500)],
)
def test_bytes_as_people_write_them(text, expected):
    assert parsed_bytes(text) == expected


@pytest.mark.parametrize("text", ["much", "-1GB", "0", "2XB", "ib", "3ib"])
def test_other_texts_are_no_bytes(text):
    with pytest.raises(ParameterError, match=r"'memory' parameter must be .* Got "):
        parsed_bytes(text)


@DROPPED
@pytest.mark.parametrize(
    "options, message",
    [
        ({"holdout": 0.2}, r"'holdout' parameter must be left out .* Got 0\.2"),
        ({"method": "forward"}, r"'method' parameter must be left out .* Got 'forward'"),
        ({"preset": "hong2008"}, r"'preset' parameter must be left out"),
        ({"scheduler": "tcp://127.0.0.1:1"}, r"'scheduler' parameter must be the address .* Got"),
    ],
)
def test_what_large_tables_cannot_have(files, options, message, monkeypatch):
    monkeypatch.setattr(large, "PATIENCE", 0.5)
    with pytest.raises(ParameterError, match=message):
        train(files, "bought", **options)


def test_tables_that_cannot_be_large(files):
    with pytest.raises(ParameterError, match=r"must name files .* Got DataFrame"):
        train(make_frame(), "bought", memory="1GB")
    with pytest.raises(ParameterError, match=r"must be a file\. Got '-'"):
        train("-", "bought", memory="1GB")
    with pytest.raises(TableError, match="price"):
        train(files, "price")
