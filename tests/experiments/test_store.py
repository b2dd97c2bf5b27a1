from __future__ import annotations

import sqlite3
from dataclasses import replace

import pytest

from drumlin.experiments.protocol import FAILED, FIT, TUNE, Record, Task
from drumlin.experiments.store import Store


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "new" / "results.sqlite") as store:
        yield store


RECORD = Record(
    FIT, "svm", "heart", 1, error=12.5, log_loss=0.4, nodes=7, fit_seconds=0.01,
    predict_seconds=0.002, original=True, seed=1, settings='{"estimator": "SVC()"}',
    versions="{}", finished="2026-01-01T00:00:00+00:00",
)  # fmt: skip


def test_round_trip(store):
    failed = Record(FIT, "svm", "heart", 2, FAILED, message="a 'quoted' |\nmessage", traceback="x")
    for record in (RECORD, failed):
        assert store.add(record)
    assert list(store) == [RECORD, failed]
    assert len(store) == 2
    assert RECORD.task in store
    assert Task(TUNE, "svm", "heart", 1) not in store
    assert store.tasks() == {RECORD.task, failed.task}


def test_first_record_of_a_task_stays(store):
    assert store.add(RECORD)
    assert not store.add(replace(RECORD, error=0.0))
    assert list(store) == [RECORD]


def test_records_are_there_after_opening_again(store):
    store.add(RECORD)
    with Store(store.path) as again:
        assert list(again) == [RECORD]


def test_reading_leaves_the_file_as_it_is(tmp_path):
    path = tmp_path / "results.sqlite"
    with Store(path) as store:
        store.add(RECORD)
    before = path.read_bytes()
    with Store(path) as store:
        assert len(store.frame()) == 1
    assert path.read_bytes() == before


def test_frame(store):
    store.add(replace(RECORD, realisation=2))
    store.add(RECORD)
    store.add(Record(TUNE, "svm", "heart", 1, settings='{"chosen": {"C": 2.0}}'))
    frame = store.frame()
    assert frame["realisation"].tolist() == [1, 2]
    assert frame["error"].tolist() == [12.5, 12.5]
    assert store.frame(TUNE)["settings"].tolist() == ['{"chosen": {"C": 2.0}}']
    assert store.chosen("svm", "heart") == [{"C": 2.0}]


def test_failed_searches_choose_nothing(store):
    store.add(Record(TUNE, "svm", "heart", 1, FAILED))
    assert store.chosen("svm", "heart") == []


def test_only_failures_of_the_named_tasks_are_forgotten(store):
    failed = [Record(FIT, "svm", "heart", k, FAILED) for k in (2, 3)]
    for record in (RECORD, *failed):
        store.add(record)
    assert store.forget_failures([RECORD.task, failed[0].task]) == 1
    assert store.tasks() == {RECORD.task, failed[1].task}


def test_named_tasks_are_forgotten_however_they_ended(store):
    failed = Record(FIT, "svm", "heart", 2, FAILED)
    kept = Record(FIT, "svm", "heart", 3)
    for record in (RECORD, failed, kept):
        store.add(record)
    assert store.forget([RECORD.task, failed.task]) == 2
    assert store.tasks() == {kept.task}


def test_other_files_are_refused(tmp_path):
    text = tmp_path / "results.sqlite"
    text.write_text("not a database, " * 100)
    with pytest.raises(ValueError, match=r"must be a store of drumlin\. Got .*results\.sqlite"):
        Store(text)
    assert text.read_text().startswith("not a database")
    with pytest.raises(ValueError, match=r"must be a store of drumlin\. Got .*unable to open"):
        Store(tmp_path)
    other = tmp_path / "other.sqlite"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE notes (text)")
    connection.close()
    with pytest.raises(ValueError, match=r"its version is 0, not 1"):
        Store(other)
    connection = sqlite3.connect(other)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(ValueError, match=r"its version is 99, not 1"):
        Store(other)
