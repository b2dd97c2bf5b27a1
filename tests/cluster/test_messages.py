"""What is wrong with collections and clusters: one sentence each, and nothing left behind."""

from __future__ import annotations

import gc
import threading
import time
from types import SimpleNamespace

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from dask.delayed import delayed

from drumlin import DrumlinClassifier, ForwardRBFClassifier
from drumlin.estimators import table_training
from drumlin.sample import OnWorkers
from drumlin.sample import cluster as cluster_module
from tests.small import cut, make_table, use_small_recipe


def inputs(i, n=20):
    rng = np.random.default_rng(i)
    return pd.DataFrame({"a": rng.random(n), "b": rng.random(n)})


def targets(i, n=20):
    return pd.Series(np.arange(n) % 2, name="y")


UNKNOWN = dd.from_map(inputs, [0, 1]), dd.from_map(targets, [0, 1])
OTHER = dd.from_map(targets, [0, 1, 2])
KNOWN = dd.from_pandas(inputs(0), npartitions=2)
OBJECTS = da.from_array(np.array([["u", "v"]] * 10, dtype=object), chunks=(5, 2))


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (UNKNOWN[0], OTHER, r"one data frame, .* Got partitions: 2 of unknown .*, 3 of unknown"),
        (KNOWN, UNKNOWN[1], r"known divisions \(set_index\), .* 2 of known .*, 2 of unknown"),
        (OBJECTS, da.arange(10, chunks=5) % 2, r"'X' of Partition 0 .* must hold numbers: .*'u'"),
        (da.zeros((10, 2), chunks=5), da.arange(9, chunks=5), r"as many rows\. Got 10, 9"),
        (delayed(OBJECTS), da.arange(9, chunks=5), r"'X' of .* Got Delayed.* with no"),
        (KNOWN.assign(c=KNOWN["a"].astype(object)), KNOWN["a"] > 0.5, r"'c' \(object\)"),
    ],
)
def test_collections_that_cannot_be_used(X, y, message):
    with pytest.raises(ValueError, match=message):
        DrumlinClassifier().fit(X, y)


def test_unknown_divisions_with_as_many_partitions():
    assert DrumlinClassifier(max_nodes=1).fit(*UNKNOWN).n_features_in_ == 2


def test_a_class_that_only_one_partition_has():
    X = da.from_array(np.random.default_rng(0).random((60, 2)), chunks=(20, 2))
    y = da.from_array(np.repeat(["a", "b", "c"], 20), chunks=20)
    assert DrumlinClassifier(max_nodes=2).fit(X, y).classes_.tolist() == ["a", "b", "c"]


def test_a_class_that_comes_later(monkeypatch):
    """In a source that is not the same twice: it would be taken for another class."""
    use_small_recipe(monkeypatch)
    X, y, _ = make_table("classes")
    reads = []

    def batches():
        reads.append(1)
        late = len(reads) > 2  # after the first batch was looked at, and classes were counted
        other = np.where(np.arange(len(y)) == 7, "none", y) if late else y
        return iter(cut((X, other), (7000, 5500)))

    with pytest.raises(ValueError, match=r"the same rows .* \['no', 'perhaps', 'yes'\]\. Got"):
        DrumlinClassifier().fit_batches(batches)


def test_a_scheduler_that_is_gone():
    class Fake:
        def wait_for_workers(self, n, timeout):
            raise OSError("Stream is closed")

    with pytest.raises(RuntimeError, match=r"scheduler of the Dask client .* Got OSError"):
        cluster_module.check_workers(Fake())


@pytest.mark.parametrize("n_silent", [1, 3])
def test_a_worker_that_dies_while_it_is_asked_and_never_answers(monkeypatch, n_silent):
    """Non-regression: the fit waited for it for ever."""
    monkeypatch.setattr(cluster_module, "PATIENCE", 0.1)
    asked, never = [], threading.Event()

    class Fake:
        scheduler = SimpleNamespace(address="tcp://here")

        def wait_for_workers(self, n, timeout):
            pass

        def run(self, function, on_error):
            asked.append(1)
            if len(asked) <= n_silent:
                never.wait()
            return {"tcp://one": function()}

    if n_silent < cluster_module.ATTEMPTS:
        cluster_module.check_workers(Fake())
        assert len(asked) == n_silent + 1
    else:
        with pytest.raises(RuntimeError, match=r"tcp://here must answer\. Got nothing in 3 times"):
            cluster_module.check_workers(Fake())
    never.set()


def test_what_keeps_workers_from_answering_is_told():
    class Fake:
        scheduler = SimpleNamespace(address="tcp://here")

        def wait_for_workers(self, n, timeout):
            pass

        def run(self, function, on_error):
            raise ValueError("no pickle")

    with pytest.raises(RuntimeError, match=r"tcp://here must answer\. Got ValueError: no pickle"):
        cluster_module.check_workers(Fake())


def test_no_worker_is_left_at_the_first_pass():
    class Fake:
        scheduler = SimpleNamespace(address="tcp://here")

        def nthreads(self):
            return {}

        def wait_for_workers(self, n, timeout):
            raise TimeoutError

    with pytest.raises(RuntimeError, match=r"tcp://here must have at least one worker"):
        cluster_module.OnWorkers(Fake(), [None]).fold(len, max)


def test_versions_are_those_of_python_and_numpy_too():
    ours = cluster_module._version()
    assert np.__version__ in ours

    class Fake:
        def wait_for_workers(self, n, timeout):
            pass

        def run(self, function, on_error):
            return {"tcp://one": ours, "tcp://two": ours.replace("NumPy 2", "NumPy 1")}

    with pytest.raises(RuntimeError, match=r"must have drumlin .* Got .*NumPy 1.* on tcp://two"):
        cluster_module.check_workers(Fake())


def test_an_interrupt_of_forward_selection_leaves_no_task(client, monkeypatch):
    monkeypatch.setattr(table_training, "IN_MEMORY", 100)
    X, y, _ = make_table("classes", 600)
    folds, plain = [], OnWorkers.fold

    def fold(self, f, join):
        folds.append(f)
        if len(folds) == 12:
            raise KeyboardInterrupt
        return plain(self, f, join)

    monkeypatch.setattr(OnWorkers, "fold", fold)
    model = ForwardRBFClassifier(width=2.0, candidates=5)
    with pytest.raises(KeyboardInterrupt):
        model.fit(da.from_array(X, chunks=(200, 3)), da.from_array(y, chunks=200))
    assert not hasattr(model, "network_")
    gc.collect()  # the traceback knows the rows
    assert not _left(client)


def _left(client):
    for _ in range(50):
        left = client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks))
        if not left:
            return 0
        time.sleep(0.1)
    return left
