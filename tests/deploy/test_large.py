"""Tables of several files, read piece by piece."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from drumlin import DrumlinClassifier
from drumlin._errors import ParameterError, TableError
from drumlin.cli.progress import FitBar
from drumlin.deploy import Deployed, large, memory, train
from drumlin.deploy.large import Files
from drumlin.deploy.memory import RowMemory, draw_bytes, parsed_bytes
from drumlin.tables import TableEncoder, TableWarning


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


MEMORY = RowMemory(10**9)
DROPPED = pytest.mark.filterwarnings("ignore:[0-9]+ rows? without a value")


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
    with pytest.warns(TableWarning, match=r"'memory' parameter must be at least 500 MB .*'1MB'"):
        trained = train(files[2], "bought", memory="1MB", test=files[0])
    assert trained.judged is not None
    path = tmp_path / "model.drumlin"
    trained.deployed.save(path)
    answers = Deployed.load(path).predict(make_frame().drop(columns="bought"))
    assert set(answers["prediction"]) == {"no", "yes"}


def test_columns_are_learned_from_a_sample(files, monkeypatch):
    """At random, of all files."""
    monkeypatch.setattr(RowMemory, "sample_rows", lambda self, row_bytes: 60)
    monkeypatch.setattr(RowMemory, "chunk_rows", lambda self, row_bytes, n_inputs: 20)
    rows, n_rows = Files(tuple(files), "bought", MEMORY).sample(None, 0)
    assert (len(rows), n_rows) == (60, 294)
    assert set(rows.frame["code"]) == {"1", "2", "b"}
    again, _ = Files(tuple(files), "bought", MEMORY).sample(None, 0)
    pd.testing.assert_frame_equal(again.frame, rows.frame)


def test_costs_are_of_all_classes(tmp_path, monkeypatch):
    """Non-regression: a class that the sample lacked was refused, or broke the end of a fit."""
    path, frame = tmp_path / "rare.csv", make_frame().dropna(subset="bought")
    frame.iloc[7:10, frame.columns.get_loc("bought")] = "seldom"
    frame.to_csv(path, index=False)
    monkeypatch.setattr(RowMemory, "sample_rows", lambda self, row_bytes: 40)
    sample, _ = Files((str(path),), "bought", MEMORY).sample(None, 0)
    assert "seldom" not in sample.y
    options = {"memory": "1GB", "max_nodes": 1}
    trained = train(path, "bought", costs={"no": 5.0, "seldom": 2.0}, **options)
    assert trained.notes["costs"] == {"no": 5.0, "seldom": 2.0, "yes": 1.0}
    monkeypatch.setattr(DrumlinClassifier, "fit_batches", None)  # not reached
    with pytest.raises(ParameterError, match=r"must name classes of .*'seldom'.* Got 'rarely'"):
        train(path, "bought", costs={"rarely": 2.0}, **options)


def test_parquet_in_capitals_is_sampled_once(tmp_path, monkeypatch):
    path, seen = tmp_path / "A.PARQUET", []
    make_frame().to_parquet(path)
    plain = Files._sampled
    monkeypatch.setattr(Files, "_sampled", lambda *given: seen.append(given) or plain(*given))
    Files((str(path),), "bought", MEMORY).sample(None, 0)
    assert len(seen) == 1


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


def test_a_file_in_which_no_row_has_a_target(files, tmp_path):
    """Non-regression: a worker that read it as a whole failed, nothing to concatenate."""
    path = tmp_path / "none.csv"
    make_frame(40).assign(bought=None).to_csv(path, index=False)
    read = Files((*files, str(path)), "bought", MEMORY)
    rows, n_rows = read.sample(None, 0)
    encoder = TableEncoder().fit(rows.frame, rows.y)
    X, y = read.whole(str(path), encoder, rows.target)
    assert X.shape == (0, len(encoder.get_feature_names_out()))
    assert y.shape == (0,)
    wholes = [read.whole(path, encoder, rows.target) for path in read.paths]
    assert sum(len(y) for _, y in wholes) == n_rows == 294
    together = DrumlinClassifier(max_nodes=2).fit_batches(wholes)
    alone = DrumlinClassifier(max_nodes=2).fit_batches(wholes[:-1])
    np.testing.assert_array_equal(together.network_.coef, alone.network_.coef)


# ------------------------------------------------------------------ memory
@pytest.mark.parametrize("n_inputs", [2, 30, 300, 3000])
@pytest.mark.parametrize("limit", ["600MB", "1GB", "8GB"])
def test_what_a_limit_leaves_is_shared_out(limit, n_inputs):
    """Chunks, draws and what is kept fit into it together, as long as they can be smaller."""
    share, row_bytes = RowMemory.within(limit), 8.0 * n_inputs
    chunk, draw = share.chunk_rows(row_bytes, n_inputs), share.max_draw(n_inputs)
    sample = share.sample_rows(row_bytes)
    taken = share.kept + chunk * (16 * row_bytes + 80 * n_inputs) + draw_bytes(draw, n_inputs)
    assert taken <= share.n_bytes or draw == 5000 or chunk == 500
    assert memory.FRAMES * sample * row_bytes <= share.n_bytes or sample == 5000
    assert RowMemory.within("1TB").chunk_rows(row_bytes, n_inputs) == 50_000


@DROPPED
def test_rows_and_passes_are_told(files, monkeypatch):
    """Of a table that is read piece by piece; from the second pass on their number is known."""
    bar = FitBar()
    seen = []
    monkeypatch.setattr(
        bar, "_rows_seen", lambda plain=bar._rows_seen: seen.append(plain()) or seen[-1]
    )
    train(files[2], "bought", memory="1GB", callback=bar, max_nodes=1)
    assert seen == ["99 rows", "99 of 99 rows"]  # of columns, of a table that is small


CODE = """
import resource, sys
from drumlin.deploy import train
trained = train(sys.argv[1], "y", memory=sys.argv[2], max_nodes=3)
print(trained.notes["n_train"], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


@pytest.mark.slow
@pytest.mark.parametrize("n_rows", [150_000, 450_000])
def test_peak_memory_is_bounded_whatever_the_length(n_rows, tmp_path):
    """Of a real process: 40 inputs in a file of 48 or 144 MB, a limit of 700 MB."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rng, path = np.random.default_rng(0), tmp_path / "table.parquet"
    names = [f"x{i}" for i in range(40)]
    schema = pa.schema([*[(name, pa.float64()) for name in names], ("y", pa.string())])
    with pq.ParquetWriter(path, schema) as writer:
        for _ in range(n_rows // 50_000):
            frame = pd.DataFrame(rng.standard_normal((50_000, 40)), columns=names)
            frame["y"] = np.where(frame["x0"] * frame["x1"] > 0.0, "a", "b")
            writer.write_table(pa.Table.from_pandas(frame, schema, preserve_index=False))
    told = subprocess.run(
        [sys.executable, "-c", CODE, path, "700MB"], capture_output=True, text=True, check=True
    )
    n_train, peak = map(int, told.stdout.split())
    assert n_train == n_rows
    assert peak < 700e6
