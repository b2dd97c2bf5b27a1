"""Long work: kills, Ctrl-C, failures, several processes, Dask."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter

import pytest

from drumlin.experiments.protocol import DONE, FAILED, FIT, TUNE, Task
from drumlin.experiments.runner import Workers, pending, run
from drumlin.experiments.store import Store
from tests.experiments import small_work
from tests.experiments.small_work import BROKEN, SLOW, STUBBORN, TUNED, UNTUNED, plan

LAST = 120  # realisations of the killed work: some 360 runs, more than 20 attempts manage


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.sqlite"


@pytest.fixture
def store(path):
    with Store(path) as store:
        yield store


def assert_sound(path):
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


def records(path):
    with Store(path) as store:
        return {record.task: record for record in store}


def n_rows(path):
    with Store(path) as store:
        return len(store)


def assert_complete(path, wanted):
    """Exactly the tasks of the plan, each once."""
    with Store(path) as store:
        counts = Counter(record.task for record in store)
    assert set(counts) == set(wanted.tasks())
    assert set(counts.values()) == {1}
    assert_sound(path)


def test_killed_twenty_times_loses_and_repeats_nothing(path, fork_server, seed):
    wanted = plan(SLOW, TUNED, BROKEN, last=LAST)
    moments = random.Random(seed)
    kept, at_work = {}, 0
    for kill in range(20):
        process = fork_server.Process(target=small_work.work, args=(path, LAST))
        process.start()
        if kill % 2:  # every other kill falls into the work for certain, else also into the start
            wait_for_rows(path, len(kept) + 1)
        process.join(moments.uniform(0.0, 0.05))
        process.kill()
        process.join()
        assert process.exitcode == -signal.SIGKILL
        assert_sound(path)
        now = records(path)
        # Every record of before is there, as it was (its times and clock, too).
        assert kept.items() <= now.items()
        at_work += len(now) > len(kept)
        kept = now
    assert at_work >= 10
    assert len(kept) < len(wanted.tasks())
    with Store(path) as store:
        run(wanted, store)
    assert kept.items() <= records(path).items()
    assert_complete(path, wanted)


def test_processes_share_a_store(path, fork_server):
    processes = [fork_server.Process(target=small_work.work, args=(path, 15)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert_complete(path, plan(SLOW, TUNED, BROKEN, last=15))


def test_finished_work_is_not_repeated(store):
    wanted = plan(SLOW, last=3)
    first, second = [], []
    run(wanted, store, on_record=first.append)
    assert pending(wanted, store) == []
    run(wanted, store, on_record=second.append)
    assert {record.task for record in first} == set(wanted.tasks())
    assert second == []
    more = plan(SLOW, last=5)
    run(more, store, on_record=second.append)
    assert {record.task for record in second} == {Task(FIT, "slow", "first", k) for k in (4, 5)}


def test_failure_is_recorded_and_stops_nothing(store):
    run(plan(BROKEN, SLOW, UNTUNED, last=3), store)
    by_task = {record.task: record for record in store}
    broken = by_task[Task(FIT, "broken", "first", 1)]
    assert (broken.status, broken.message) == (FAILED, "ZeroDivisionError: no pivot")
    assert 'raise ZeroDivisionError("no pivot")' in broken.traceback
    assert broken.error is None
    assert by_task[Task(FIT, "broken", "first", 2)].status == DONE
    assert all(record.status == DONE for record in store if record.method == "slow")
    tuning = by_task[Task(TUNE, "untuned", "first", 5)]
    assert tuning.message == "ArithmeticError: no grid"
    assert "No search of 'untuned'" in by_task[Task(FIT, "untuned", "first", 1)].message


def test_failures_can_be_tried_again(store):
    wanted = plan(BROKEN, last=3)
    run(wanted, store)
    assert store.forget_failures(wanted.tasks()) == 3  # 1 and 3 of the first set, 1 of the second
    assert {task.realisation for task in pending(wanted, store)} == {1, 3}


def test_tuning_uses_the_first_five_training_realisations(store):
    run(plan(TUNED, last=8), store)
    tuned = [record for record in store if record.stage == TUNE]
    assert Counter(record.dataset for record in tuned) == {"first": 5, "second": 2}
    choices = [json.loads(r.settings)["chosen"] for r in tuned if r.dataset == "first"]
    penalties = sorted(choice["C"] for choice in choices)
    assert penalties[0] < penalties[2]  # else the test would show nothing
    fits = [r for r in store if (r.stage, r.dataset) == (FIT, "first")]
    assert [record.realisation for record in fits] == list(range(1, 9))
    assert all(json.loads(r.settings)["chosen"] == {"C": penalties[2]} for r in fits)
    assert all(f"C={penalties[2]}" in r.settings for r in fits)  # of the estimator, too


def test_processes_give_the_same_results(path, tmp_path):
    wanted = plan(TUNED, BROKEN, last=4)
    for file, workers in [(path, Workers(1)), (tmp_path / "two.sqlite", Workers(2))]:
        with Store(file) as store:
            run(wanted, store, workers)
    assert results(path) == results(tmp_path / "two.sqlite")


def results(path):
    """What does not depend on clocks."""
    return {
        task: (record.status, record.error, record.log_loss, record.nodes, record.settings)
        for task, record in records(path).items()
    }


@pytest.mark.usefixtures("forked_workers")
def test_dask(path, tmp_path):
    distributed = pytest.importorskip("distributed")
    wanted = plan(TUNED, BROKEN, last=4)
    with Store(path) as store:
        run(wanted, store)
    told = []
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        Store(tmp_path / "dask.sqlite") as store,
    ):
        address = cluster.scheduler_address
        run(wanted, store, Workers(backend="dask", scheduler=address), told.append)
    assert len(told) == len(wanted.tasks())
    assert results(path) == results(tmp_path / "dask.sqlite")


def test_interrupted_fit_is_not_stored(store):
    """Our estimators survive Ctrl-C with what they have; that is not a result."""
    outside = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored after ``&``
    try:
        with pytest.raises(KeyboardInterrupt):
            run(plan(STUBBORN, last=1), store)
        assert len(store) == 0
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, outside)


@pytest.mark.slow
@pytest.mark.usefixtures("needs_data")
def test_command_survives_ctrl_c_and_kill(tmp_path):
    """The real thing, with worker processes."""
    command = [
        sys.executable, "-m", "drumlin", "reproduce", "--datasets", "heart,thyroid",
        "--methods", "logistic,DrumlinClassifier", "--realisations", "1:40", "--jobs", "2",
        "--out", str(tmp_path),
    ]  # fmt: skip
    path = tmp_path / "results.sqlite"
    n_before = 0
    for end, code in [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)]:
        with (tmp_path / "told").open("w") as file:
            process = subprocess.Popen(command, stderr=file, start_new_session=True)
        wait_for_rows(path, n_before + 5)
        # A terminal tells all processes of Ctrl-C; a kill may hit the first one only.
        (os.killpg if end == signal.SIGINT else os.kill)(process.pid, end)
        assert process.wait(timeout=60) == code
        told = (tmp_path / "told").read_text()
        before = records(path)
        assert n_before < len(before) < 160
        n_before = len(before)
        if end == signal.SIGINT:
            assert f"Stopped: {160 - n_before} runs are left" in told
    subprocess.run(command, check=True, capture_output=True)
    after = records(path)
    assert before.items() <= after.items()
    assert len(after) == 160
    assert {record.status for record in after.values()} == {DONE}
    assert_sound(path)


def wait_for_rows(path, n, patience=60.0):
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if path.is_file() and n_rows(path) >= n:
            return
        time.sleep(0.005)
    raise TimeoutError(f"{path} has not got {n} rows")


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"backend": "mpi"}, r"'backend' parameter must be one of .* Got 'mpi'"),
        ({"backend": "dask"}, r"'scheduler' parameter must be the address .* Got None"),
        ({"scheduler": "tcp://x:1"}, r"Got 'tcp://x:1' with 'loky'"),
        ({"jobs": 0}, r"'jobs' parameter must not be 0"),
    ],
)
def test_bad_workers(arguments, message):
    with pytest.raises(ValueError, match=message):
        Workers(**arguments)
