"""Tables that are not in memory: equality, memory, overhead, scaling and kills, measured.

``python -m benchmarks.speed.cluster equality`` (or another of the words below) prints lines of
Markdown for docs/cluster.md. Workers are real processes on this machine.

- ``equality``: six tables, fitted on 1, 2 and 4 workers and by batches, with the constants of the
  tests (a tenth of the recipe's rows), so that 12 500 rows are a large table.
- ``kernel``: CPU time of one pass over 65 536 rows in one thread: the term of the cost model.
- ``kills``: a worker is killed with SIGKILL at a random moment of every fit.
- ``large``: rows of the smooth generator from Parquet on 1 and 2 workers: error, memory, passes.
- ``draws``: fits to the first 20 000, 80 000 and 320 000 of them in memory, to compare with.
- ``batches``: the same files by ``drumlin fit --memory``, in a process of its own.
- ``covtype``: all of covtype but 100 000 test rows by ``drumlin fit --memory``, from a CSV file.
- ``scaling``: time of a pass over prepared rows with 80 nodes, on 1 and 2 workers.
- ``overhead``: what a pass costs beside its kernels, term by term.
- ``rivals``: the same table with ``lightgbm.dask`` and dask-ml's logistic regression.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np

N_INPUTS, PART_ROWS = 20, 125_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    words = "equality kernel kills large draws batches covtype scaling overhead rivals"
    parser.add_argument("what", choices=words.split())
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--memory", default="2GB")
    asked = parser.parse_args()
    {
        "equality": equality,
        "kernel": kernel,
        "kills": lambda: kills(asked.kills),
        "large": lambda: large(asked.rows, asked.workers),
        "draws": lambda: draws(asked.rows),
        "batches": lambda: batches(asked.rows, asked.memory),
        "covtype": lambda: covtype(asked.rows, asked.memory),
        "scaling": lambda: scaling(asked.rows, asked.workers),
        "overhead": overhead,
        "rivals": lambda: rivals(asked.rows, asked.workers[-1]),
    }[asked.what]()


@contextmanager
def cluster(n_workers):
    """A client of a cluster of processes with one thread each."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=n_workers, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def peak() -> int:
    """Most bytes that this process has had in memory."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


# ------------------------------------------------------------------ equality
def small_tables() -> dict:
    """Six tables: name, estimator, arrays (inputs, targets, perhaps weights)."""
    from drumlin import DrumlinClassifier, DrumlinRegressor
    from tests.small import N_ROWS, make_table

    rng = np.random.default_rng(1)
    X, y, weight = make_table("classes")
    _, numbers, _ = make_table("numbers")
    wide = rng.standard_normal((N_ROWS, 12))
    two = wide[:, 0] * (1.0 + wide[:, 1]) + 0.3 * rng.standard_normal(N_ROWS) > 0.0
    whole = rng.integers(0, 30, (N_ROWS, 3)).astype(float)
    return {
        "three classes, weights": (DrumlinClassifier(), (X, y, weight)),
        "three classes, balanced": (DrumlinClassifier(class_weight="balanced"), (X, y)),
        "two classes, 12 inputs": (DrumlinClassifier(), (wide, two)),
        "whole numbers, many copies": (DrumlinClassifier(), (whole, whole.sum(axis=1) > 45)),
        "numbers, weights": (DrumlinRegressor(), (X, numbers, weight)),
        "numbers, Huber": (DrumlinRegressor(loss="huber"), (X, numbers)),
    }


@contextmanager
def small_recipe():
    """The constants of the tests."""
    import pytest

    from tests.small import use_small_recipe

    with pytest.MonkeyPatch.context() as patch:
        use_small_recipe(patch)
        yield


def dask_arrays(arrays, sizes):
    import dask.array as da

    return [da.from_array(a, chunks=(sizes, *([-1] * (a.ndim - 1)))) for a in arrays]


def equality() -> None:
    from sklearn.base import clone

    from tests.small import cut

    sizes = (1000, 2500, 500, 3500, 2000, 3000)
    print("| table | nodes | workers: 1 | 2 | 4 | on disk | beside `fit` |")
    print("|---|---|---|---|---|---|---|")
    rows = {}
    with small_recipe():
        for name, (model, arrays) in small_tables().items():
            reference = clone(model).fit_batches(cut(arrays, sizes))
            plain = clone(model).fit(*arrays)
            disk = clone(model).fit_batches(cut(arrays, sizes), memory=0)
            X = arrays[0]
            scale = reference.network_(X).std()
            rows[name] = [reference.n_nodes_, [], distance(reference, disk, X, scale),
                          distance(reference, plain, X, scale)]  # fmt: skip
            rows[name].append((reference, arrays, scale))
        for n_workers in (1, 2, 4):
            with cluster(n_workers):
                for name, (model, _) in small_tables().items():
                    reference, arrays, scale = rows[name][-1]
                    there = clone(model).fit(*dask_arrays(arrays, sizes))
                    rows[name][1].append(distance(reference, there, arrays[0], scale))
    for name, (n_nodes, on_workers, on_disk, plain, _) in rows.items():
        cells = [name, n_nodes, *[f"{d:.0e}" for d in (*on_workers, on_disk, plain)]]
        print("| " + " | ".join(map(str, cells)) + " |")


def distance(one, other, X, scale) -> float:
    """Largest difference of scores, in units of their spread."""
    return float(np.abs(one.network_(X) - other.network_(X)).max() / scale)


def kernel() -> None:
    from drumlin._kernels import NodeParameters
    from drumlin._kernels.blas import one_blas_thread
    from drumlin.losses import Logistic
    from drumlin.refinement.objective import loss_of_part
    from tests.helpers import sample_of

    rng, n = np.random.default_rng(0), 65_536
    sample = sample_of(rng.standard_normal((n, N_INPUTS)), rng.integers(0, 2, n)).in_single(True)
    for n_nodes in (40, 80, 160):
        centers = rng.standard_normal((n_nodes, N_INPUTS))
        coef = rng.standard_normal((n_nodes, 1))
        nodes = NodeParameters(centers, np.full(centers.shape, 0.3), coef, np.zeros(1))
        seconds = []
        with one_blas_thread():
            for _ in range(6):
                start = time.thread_time()
                loss_of_part(sample, nodes, Logistic())
                seconds.append(time.thread_time() - start)
        each = 1e9 * min(seconds) / (n * N_INPUTS * n_nodes)
        print(f"{n_nodes} nodes: {1e3 * min(seconds):.1f} ms of CPU, {each:.2f} ns a factor")


def kills(number: int) -> None:
    from drumlin import DrumlinClassifier
    from tests.small import cut, make_table

    sizes, arrays = (5000, 3000, 4500), make_table("classes")
    random.seed(0)
    with small_recipe():
        reference = DrumlinClassifier().fit_batches(cut(arrays, sizes))
        usual = min(timed_fit(arrays, sizes)[1] for _ in range(3))
        same, hit, late, slowest = 0, 0, 0, 0.0
        while hit < number and late < 3 * number:
            model, seconds, in_time = timed_fit(arrays, sizes, random.uniform(0.0, 0.9 * usual))
            hit, late = hit + in_time, late + (not in_time)
            if in_time:  # a kill after the end of a fit shows nothing
                slowest = max(slowest, seconds)
                same += distance(reference, model, arrays[0], 1.0) == 0.0
    print(f"{hit} fits with a worker killed before their end: {same} with the same bits (without "
          f"a kill {usual:.1f} s, the slowest {slowest:.1f} s); {late} fits ended before the kill "
          "and are not counted.")  # fmt: skip


def timed_fit(arrays, sizes, kill_after=None):
    """Fit on a new cluster, a worker of which is killed; the model, seconds, and if in time.

    A new cluster every time: Dask does not replace a worker that dies while it is starting.
    """
    from drumlin import DrumlinClassifier

    with cluster(2) as client:
        pid = random.choice(list(client.run(os.getpid).values()))
        timer = threading.Timer(kill_after or 0.0, os.kill, (pid, signal.SIGKILL))
        if kill_after is not None:
            timer.start()
        start = time.perf_counter()
        model = DrumlinClassifier().fit(*dask_arrays(arrays, sizes))
        seconds, in_time = time.perf_counter() - start, timer.finished.is_set()
        timer.cancel()
    return model, seconds, in_time


# ------------------------------------------------------------------ large tables
def parquet(n_rows: int) -> Path:
    """A folder of files of the smooth generator in single precision; made once."""
    import pandas as pd

    from benchmarks.accuracy.generators import smooth

    folder = Path(tempfile.gettempdir(), f"drumlin-cluster-{n_rows}")
    folder.mkdir(exist_ok=True)
    for i in range(-(-n_rows // PART_ROWS)):
        path = folder / f"part-{i:04}.parquet"
        if not path.exists():
            X, y = smooth(min(PART_ROWS, n_rows - i * PART_ROWS), i + 1)
            frame = pd.DataFrame(X.astype(np.float32), columns=[f"x{j}" for j in range(N_INPUTS)])
            frame.assign(y=y).to_parquet(path)
    return folder


def fresh():
    """Rows that nobody has seen, and the least error."""
    from benchmarks.accuracy.generators import bayes_smooth, smooth

    X, y = smooth(200_000, 10_000)
    return X.astype(np.float32), y, bayes_smooth()


def error_line(name: str, model, seconds: float, memory: int) -> None:
    X, y, bayes = fresh()
    error = 100.0 * np.mean(model.predict(X) != y)
    print(f"| {name} | {model.n_nodes_} | {error:.2f} (Bayes {bayes:.2f}) | "
          f"{seconds:.0f} | {memory / 1e9:.2f} |", flush=True)  # fmt: skip


def large(n_rows: int, workers: list[int]) -> None:
    import dask.dataframe as dd

    from drumlin import DrumlinClassifier

    folder = parquet(n_rows)
    print("| rows, workers | nodes | error % of fresh rows | s | GB of the largest worker |")
    print("|---|---|---|---|---|")
    for n_workers in workers:
        with cluster(n_workers) as client, watched_passes() as passes:
            table = dd.read_parquet(folder)
            X, y = table.drop(columns="y"), table["y"]
            start = time.perf_counter()
            model = DrumlinClassifier().fit(X, y)
            seconds = time.perf_counter() - start
            memory = max(client.run(peak).values())
        model.__dict__.pop("feature_names_in_", None)
        error_line(f"{n_rows:,}, {n_workers}", model, seconds, memory)
        print(told(passes, n_workers), flush=True)


@contextmanager
def watched_passes():
    """Seconds of every pass of the last stage: on the clock, and of the kernels in its tasks."""
    from drumlin.sample import OnWorkers

    passes, fold = [], OnWorkers.fold

    def watched(self, f, join):
        if "loss_of_part" not in str(f):
            return fold(self, f, join)
        start = time.perf_counter()
        value, seconds, cpu = fold(self, partial(timed, f=f), partial(both_timed, join=join))
        passes.append((time.perf_counter() - start, seconds, cpu))
        return value

    OnWorkers.fold = watched
    try:
        yield passes
    finally:
        OnWorkers.fold = fold


def timed(piece, f):
    clock, cpu = time.perf_counter(), time.thread_time()
    value = f(piece)
    return value, time.perf_counter() - clock, time.thread_time() - cpu


def both_timed(one, other, join):
    return join(one[0], other[0]), one[1] + other[1], one[2] + other[2]


def told(passes, n_workers) -> str:
    clock, kernels, cpu = (float(np.median(column)) for column in zip(*passes, strict=True))
    overhead = 100.0 * (clock * n_workers / kernels - 1.0)
    return (f"{len(passes)} passes on {n_workers} worker(s): {clock:.2f} s each, kernels "
            f"{kernels / n_workers:.2f} s on every worker (overhead {overhead:.0f} %), "
            f"{cpu:.2f} s of CPU in all.\n")  # fmt: skip


def draws(n_rows: int) -> None:
    from drumlin import DrumlinClassifier

    frames = (pd_read(path) for path in sorted(parquet(n_rows).glob("*.parquet")))
    X, y = map(np.concatenate, zip(*frames, strict=True))
    for size in (20_000, 80_000, 320_000):
        start = time.perf_counter()
        model = DrumlinClassifier().fit(X[:size], y[:size])
        error_line(f"{size:,}, in memory", model, time.perf_counter() - start, peak())


def pd_read(path: Path):
    import pandas as pd

    frame = pd.read_parquet(path)
    return frame.drop(columns="y").to_numpy(np.float32), frame["y"].to_numpy()


# ------------------------------------------------------------------ drumlin fit --memory
def batches(n_rows: int, memory: str) -> None:
    files = sorted(map(str, parquet(n_rows).glob("*.parquet")))
    X, y, bayes = fresh()
    frame = named(X)
    errors, told = by_command(files, "y", memory, frame, y)
    print(f"| {n_rows:,}, {memory} | {told} | {errors:.2f} (Bayes {bayes:.2f}) |", flush=True)


def covtype(n_rows: int, memory: str) -> None:
    with np.load(Path(os.environ["DRUMLIN_DATA"], "tables", "covtype.npz")) as arrays:
        X, y = arrays["X"], arrays["y"]
    order = np.random.default_rng(0).permutation(len(X))
    test, train = order[:100_000], order[100_000 : 100_000 + n_rows]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "covtype.csv")
        named(X[train]).assign(y=y[train]).to_csv(path, index=False)
        error, told = by_command([str(path)], "y", memory, named(X[test]), y[test])
        size = path.stat().st_size / 1e6
    print(
        f"| covtype, {len(train):,} rows, CSV of {size:.0f} MB, {memory} | {told} | {error:.2f} |"
    )


def named(X):
    import pandas as pd

    return pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])


def by_command(files, target, memory, frame, y):
    """Error in % of ``drumlin fit --memory`` on rows, and nodes, seconds and peak memory."""
    from drumlin.deploy import Deployed

    with tempfile.TemporaryDirectory() as folder:
        model, start = Path(folder, "model.drumlin"), time.perf_counter()
        command = [sys.executable, "-m", "drumlin", "fit", *files, "--target", target]
        subprocess.run([*command, "--memory", memory, "-o", str(model), "--json"],
                       check=True, stdout=subprocess.DEVNULL)  # fmt: skip
        seconds = time.perf_counter() - start
        gigabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e9
        deployed = Deployed.load(model)
    answers = [deployed.predict(frame[i : i + 20_000])["prediction"].to_numpy()
               for i in range(0, len(frame), 20_000)]  # fmt: skip
    error = 100.0 * np.mean(np.concatenate(answers).astype(str) != y.astype(str))
    n_nodes = deployed.fitted.model.n_nodes_
    return error, f"{n_nodes} nodes | {seconds:.0f} s | {gigabytes:.2f} GB"


# ------------------------------------------------------------------ passes alone
def prepared(client, n_rows: int):
    """Rows of the smooth generator on the workers, mapped and in single precision."""
    import dask.dataframe as dd
    from distributed import wait

    from drumlin import DrumlinClassifier

    table = dd.read_parquet(parquet(n_rows))
    rows = DrumlinClassifier()._prepared(table.drop(columns="y"), table["y"], None).rows
    rows = rows.in_single(True)
    wait(rows.pieces.blocks)
    return rows


def nodes_of(n_nodes: int):
    from drumlin._kernels import NodeParameters

    rng = np.random.default_rng(0)
    centers = rng.standard_normal((n_nodes, N_INPUTS))
    coef = rng.standard_normal((n_nodes, 1))
    return NodeParameters(centers, np.full(centers.shape, 0.3), coef, np.zeros(1))


def scaling(n_rows: int, workers: list[int], n_passes: int = 8) -> None:
    from drumlin.losses import Logistic
    from drumlin.refinement.objective import loss_of_part

    seconds = {}
    for n_workers in workers:
        with cluster(n_workers) as client:
            rows = prepared(client, n_rows)
            with watched_passes() as passes:
                for _ in range(n_passes):
                    rows.sum(partial(loss_of_part, nodes=nodes_of(80), loss=Logistic()))
            memory = max(client.run(peak).values())
        seconds[n_workers] = min(clock for clock, _, _ in passes)
        print(told(passes, n_workers).strip(), f"Peak of a worker {memory / 1e9:.2f} GB.",
              flush=True)  # fmt: skip
    first, last = min(workers), max(workers)
    print(f"{n_rows:,} rows, 80 nodes: {first} -> {last} workers: "
          f"{seconds[first] / seconds[last]:.2f} times as fast.")  # fmt: skip


def overhead() -> None:
    import pickle

    from drumlin._kernels import Gradient

    nodes = nodes_of(80)
    sums = [(0.0, Gradient.zeros(nodes)) for _ in range(32)]
    with cluster(2) as client:
        client.submit(len, [1], pure=False).result()
        for name, step in {
            "workers looked up": client.nthreads,
            "network pickled": lambda: pickle.dumps(nodes),
            "32 partial sums pickled and read": lambda: pickle.loads(pickle.dumps(sums)),
            "empty task on each of 2 workers": lambda: ask(client, len, nodes),
            "the same, 16 partial sums back from each": lambda: ask(client, sums_like, nodes),
        }.items():
            seconds = []
            for _ in range(30):
                start = time.perf_counter()
                step()
                seconds.append(time.perf_counter() - start)
            print(f"{name}: {1e3 * np.median(seconds):.1f} ms (least {1e3 * min(seconds):.1f})")
    print(f"network {len(pickle.dumps(nodes)):,} bytes, sums {len(pickle.dumps(sums)):,} bytes")


def sums_like(nodes):
    from drumlin._kernels import Gradient

    return [(0.0, Gradient.zeros(nodes)) for _ in range(16)]


def ask(client, function, nodes):
    futures = [client.submit(function, nodes, workers=[name], allow_other_workers=True, pure=False)
               for name in client.nthreads()]  # fmt: skip
    return client.gather(futures)


def rivals(n_rows: int, n_workers: int) -> None:
    import dask.array as da
    import dask.dataframe as dd
    from dask_ml.linear_model import LogisticRegression
    from lightgbm import DaskLGBMClassifier

    X, y, bayes = fresh()
    test = da.from_array(X, chunks=(100_000, -1))
    for name, rival in {
        "LightGBM": lambda client: DaskLGBMClassifier(client=client, verbose=-1),
        "dask-ml LogisticRegression": lambda client: LogisticRegression(solver="lbfgs"),
    }.items():
        with cluster(n_workers) as client:
            table = dd.read_parquet(parquet(n_rows)).persist()
            inputs = table.drop(columns="y").to_dask_array(lengths=True)
            start = time.perf_counter()
            model = rival(client).fit(inputs, table["y"].to_dask_array(lengths=True))
            seconds = time.perf_counter() - start
            answers = np.asarray(model.predict(test).compute())
            memory = max(client.run(peak).values())
        error = 100.0 * np.mean(answers.astype(int) != y)
        print(f"| {name}, {n_rows:,}, {n_workers} | | {error:.2f} (Bayes {bayes:.2f}) | "
              f"{seconds:.0f} | {memory / 1e9:.2f} |", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
