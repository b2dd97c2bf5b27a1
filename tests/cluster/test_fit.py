"""Fits on a Dask cluster: the same model as of batches in memory, whatever happens to workers."""

from __future__ import annotations

import os
import signal
import threading
import time
from functools import partial

import dask.array as da
import dask.dataframe as dd
import distributed
import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning

from drumlin import DrumlinClassifier, DrumlinRegressor
from drumlin.refinement.objective import loss_of_part
from drumlin.sample import OnWorkers
from drumlin.sample import cluster as cluster_module
from tests.small import assert_same_model, cut, make_table, use_small_recipe

KINDS = {"classes": DrumlinClassifier, "numbers": DrumlinRegressor}
SIZES = (5000, 3000, 4500)


def arrays_of(table, sizes=SIZES):
    X, *columns = table
    chunked = [da.from_array(column, chunks=(sizes,)) for column in columns]
    return [da.from_array(X, chunks=(sizes, 2)), *chunked]


def frames_of(table, sizes=SIZES):
    X, y, weight = table
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(y=y, weight=weight)
    divisions = [0, *np.cumsum(sizes)[:-1].tolist(), len(frame) - 1]
    frame = dd.from_pandas(frame, npartitions=1).repartition(divisions=divisions)
    return frame[["a", "b", "c"]], frame["y"], frame["weight"]


@pytest.fixture(scope="module")
def expected():
    """Models of batches in memory."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        use_small_recipe(monkeypatch)
        return {
            kind: estimator().fit_batches(cut(make_table(kind), SIZES))
            for kind, estimator in KINDS.items()
        }


@pytest.mark.usefixtures("_small", "client")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("collections", [arrays_of, frames_of])
def test_a_cluster_gives_the_same_model(kind, collections, expected):
    X, y, weight = collections(make_table(kind))
    model = KINDS[kind]().fit(X, y, sample_weight=weight)
    assert_same_model(model, expected[kind])
    names = ["a", "b", "c"] if collections is frames_of else None
    assert getattr(model, "feature_names_in_", np.array(None)).tolist() == names


@pytest.mark.usefixtures("_small")
def test_without_a_cluster_partitions_come_one_by_one(expected):
    X, y, weight = arrays_of(make_table("classes"))
    assert_same_model(DrumlinClassifier().fit(X, y, weight), expected["classes"])


@pytest.mark.usefixtures("_small", "client")
@pytest.mark.filterwarnings("ignore:Dask currently has limited support")  # texts of Arrow
def test_filtered_frames_and_unknown_chunks(expected):
    """Partitions of unknown lengths, one of them empty."""
    frame = pd.DataFrame(make_table("classes")[0], columns=["a", "b", "c"])
    frame = frame.assign(y=make_table("classes")[1], weight=make_table("classes")[2], use=True)
    more = pd.concat([frame.assign(use=False, a=np.nan), frame])
    whole = dd.from_map(partial(_rows, more), [(0, 12_500), (12_500, 17_500), (17_500, 20_500),
                                               (20_500, 25_000)])  # fmt: skip
    used = whole[whole["use"]]
    model = DrumlinClassifier().fit(used[["a", "b", "c"]], used["y"], used["weight"])
    network, theirs = model.network_, expected["classes"].network_
    np.testing.assert_array_equal(network.coef, theirs.coef)
    X = used[["a", "b", "c"]].to_dask_array()
    arrays = X, used["y"].to_dask_array(), used["weight"].to_dask_array()
    assert np.isnan(X.chunks[0]).all()
    np.testing.assert_array_equal(DrumlinClassifier().fit(*arrays).network_.coef, theirs.coef)


def _rows(frame, bounds):
    return frame.iloc[slice(*bounds)].reset_index(drop=True)


@pytest.mark.usefixtures("_small", "client")
def test_parquet_files_are_read_together(expected, tmp_path):
    """Dask would cut one column of small files otherwise than many."""
    X, y, weight = make_table("classes")
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(y=y, weight=weight)
    for i, (rows,) in enumerate(cut((frame,), SIZES)):
        rows.to_parquet(tmp_path / f"{i}.parquet")
    table = dd.read_parquet(tmp_path)
    model = DrumlinClassifier().fit(table[["a", "b", "c"]], table["y"], table["weight"])
    spread = model.network_(X).std()
    assert np.abs(model.network_(X) - expected["classes"].network_(X)).max() < 0.01 * spread
    several = DrumlinRegressor(max_nodes=3).fit(table[["a", "b"]], table[["b", "c"]])
    assert several.predict(frame[["a", "b"]][:5]).shape == (5, 2)


@pytest.mark.usefixtures("client")
def test_a_small_table_is_fitted_as_in_memory():
    X, y, weight = (a[:600] for a in make_table("classes"))
    sizes = (250, 350)
    model = DrumlinClassifier().fit(*frames_of((X, y, weight), sizes))
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    assert_same_model(model, DrumlinClassifier().fit(frame, y, weight))


# ------------------------------------------------------------------ what may happen
def at_loss(number, happen, monkeypatch):
    """Let something happen before a pass over all rows for the loss."""
    losses = []

    def fold(self, f, join, plain=OnWorkers.fold):
        inner = f.keywords.get("f") if isinstance(f, partial) else None
        losses.extend([f] if getattr(inner, "func", None) is loss_of_part else [])
        if len(losses) == number:
            happen()
        return plain(self, f, join)

    monkeypatch.setattr(OnWorkers, "fold", fold)
    return losses


@pytest.mark.usefixtures("_small")
def test_a_worker_that_is_killed_changes_nothing(client, expected, monkeypatch):
    """SIGKILL in the middle of a pass; its nanny starts another one."""
    killed = []

    def kill():
        if not killed:
            killed.extend(client.run(os.getpid).values())
            threading.Timer(0.002, os.kill, (killed[0], signal.SIGKILL)).start()

    losses = at_loss(3, kill, monkeypatch)
    model = DrumlinClassifier().fit(*arrays_of(make_table("classes")))
    assert killed
    assert len(losses) > 4
    assert_same_model(model, expected["classes"])


@pytest.mark.usefixtures("_small")
def test_an_interrupt_keeps_the_best_and_leaves_no_task(client, monkeypatch):
    def gather(futures, plain=client.gather):
        if len(losses) == 3:
            raise KeyboardInterrupt
        return plain(futures)

    losses = at_loss(3, lambda: None, monkeypatch)
    monkeypatch.setattr(client, "gather", gather)
    with pytest.warns(ConvergenceWarning, match="was interrupted"):
        model = DrumlinClassifier().fit(*arrays_of(make_table("classes")))
    assert model.n_nodes_ > 2
    for _ in range(50):
        left = client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks))
        if not left:
            break
        time.sleep(0.1)
    assert not left


# ------------------------------------------------------------------ messages
X, Y = da.zeros((10, 2), chunks=(5, 2)), da.arange(10, chunks=5) % 2
TEXTS = dd.from_pandas(pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]}), npartitions=1)


@pytest.mark.parametrize(
    "given, message",
    [
        ((X, np.zeros(10)), r"must all be Dask collections, or none of them\. Got 'y' as ndarray"),
        ((np.zeros((10, 2)), Y), r"or none of them\. Got 'X' as ndarray"),
        ((X, Y, np.ones(10)), r"Got 'sample_weight' as ndarray"),
        ((Y, Y), r"'X' of DrumlinClassifier.fit must be .* of 2 dimensions\. Got Array with 1"),
        ((X, X[:, :, None]), r"'y' of .* of 1 or 2 dimensions\. Got Array with 3"),
        ((X[X[:, 0] == 0], Y.rechunk(2)), r"the same partitions\. Got \{'X': 2, 'y': 5\}"),
        ((TEXTS, TEXTS["a"]), r"columns of other types: 'b' \(str"),
        ((da.where(Y[:, None] > 0, np.nan, X), Y), r"Partition 0 .* finite .* Got nan in row 1"),
        ((X, da.where(Y > 0, np.nan, Y)), r"'y' of Partition 0 .* no gaps"),
    ],
)
def test_bad_collections(given, message):
    with pytest.raises((TypeError, ValueError), match=message):
        DrumlinClassifier().fit(*given)


def test_a_cluster_without_workers(monkeypatch):
    monkeypatch.setattr(cluster_module, "PATIENCE", 0.2)
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as empty,
        distributed.Client(empty),
        pytest.raises(RuntimeError, match=r"must have at least one worker\. Got none in 0\.2 s"),
    ):
        DrumlinClassifier().fit(X, Y)


@pytest.mark.parametrize("got", ["0.0.1", ImportError("No module named 'drumlin'")])
def test_workers_with_another_drumlin(client, monkeypatch, got):
    monkeypatch.setattr(client, "run", lambda function, on_error: {"tcp://worker": got})
    with pytest.raises(RuntimeError, match=rf"must have drumlin .* Got .*{got}.* \(1 of 1"):
        DrumlinClassifier().fit(X, Y)


def test_a_worker_that_dies_while_it_is_asked_is_no_reason_to_refuse():
    class Fake:
        def wait_for_workers(self, n, timeout):
            assert n == 1

        def run(self, function, on_error):
            return {"tcp://one": function(), "tcp://two": OSError("Stream is closed")}

    cluster_module.check_workers(Fake())


def test_kernels_are_compiled_once_per_host():
    class Fake:
        def __init__(self):
            self.asked = []

        def nthreads(self):
            return {"tcp://10.0.0.1:40001": 1, "tcp://10.0.0.1:40002": 4, "tcp://10.0.0.2:40001": 1}

        def submit(self, function, workers, allow_other_workers, pure):
            assert allow_other_workers and not pure
            self.asked += workers
            return function

        def gather(self, futures):
            return [future() for future in futures]

    client = Fake()
    cluster_module.warm_hosts(client)
    assert [name.rpartition(":")[0] for name in client.asked] == [
        "tcp://10.0.0.1",
        "tcp://10.0.0.2",
    ]


@pytest.mark.usefixtures("_small", "client")
def test_delayed_batches_are_read_on_the_cluster(expected):
    from dask.delayed import delayed

    batches = [delayed(batch) for batch in cut(make_table("classes"), SIZES)]
    assert_same_model(DrumlinClassifier().fit_batches(batches), expected["classes"])
