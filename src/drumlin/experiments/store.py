"""The results: one SQLite file, one row per run.

A row is written in one transaction when its run is finished, so a process may be killed at any
moment; the unique key keeps a run from being stored twice, whoever runs it. Several processes may
write to one file (write-ahead log; not on network file systems).
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import astuple, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from drumlin.experiments.protocol import DONE, FAILED, FIT, TUNE, Record, Task

if TYPE_CHECKING:
    import pandas

VERSION = 1
PATIENCE = 60.0
"""Seconds to wait for another process that is writing."""

_TYPES = {"realisation": "INTEGER", "nodes": "INTEGER", "seed": "INTEGER", "original": "INTEGER"}
_TYPES |= {n: "REAL" for n in ("error", "log_loss", "fit_seconds", "predict_seconds")}
_RULES = {
    sqlite3.SQLITE_READONLY: "be writable",
    sqlite3.SQLITE_FULL: "have room to grow",
    sqlite3.SQLITE_BUSY: "be free within a minute",
    sqlite3.SQLITE_CORRUPT: "be whole",
}
"""What a store must be where SQLite says that it is not, by its code."""

_COLUMNS = [field.name for field in fields(Record)]
_KEY = ("stage", "method", "dataset", "realisation")
_PYTHON = {"INTEGER": int, "REAL": float, "TEXT": str}
_HOLDS: dict[str, Any] = {
    name: kind if name in (*_KEY, "status") else kind | None
    for name, kind in ((name, _PYTHON[_TYPES.get(name, "TEXT")]) for name in _COLUMNS)
}
"""What SQLite, which does not look, must have stored."""


class Store:
    """Records of finished runs.

    Parameters
    ----------
    path : Path
        The file; it and its folder are made if need be.
    """

    def __init__(self, path: Path):
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        # joblib asks for further tasks from a thread of its own.
        self._lock = threading.Lock()
        try:
            self._connection = sqlite3.connect(
                self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
        except sqlite3.DatabaseError as error:
            raise self._refusal(error) from error
        try:
            self._prepare()
        except ValueError:
            self._connection.close()
            raise

    def _refusal(self, error: object) -> ValueError:
        rule = _RULES.get(_code(error), "be a store of drumlin")
        return ValueError(f"The results file must {rule}. Got {str(self.path)!r}: {error}.")

    def _prepare(self) -> None:
        """Make the table where there is none."""
        # In this order: another process may make both between the two questions.
        tables = self._query("SELECT name FROM sqlite_master")
        found = self._query("PRAGMA user_version")[0][0]
        if found not in (0, VERSION) or (found == 0 and tables):
            raise self._refusal(f"its version is {found}, not {VERSION}")
        self._switch_to_wal()
        self._query("PRAGMA synchronous = NORMAL")
        if found == VERSION:  # reading leaves the file as it is
            return
        columns = ", ".join(f"{name} {_TYPES.get(name, 'TEXT')}" for name in _COLUMNS)
        self._query("BEGIN IMMEDIATE")
        self._query(f"CREATE TABLE IF NOT EXISTS runs ({columns}, UNIQUE ({', '.join(_KEY)}))")
        self._query(f"PRAGMA user_version = {VERSION}")
        self._query("COMMIT")

    def _switch_to_wal(self) -> None:
        """Use a write-ahead log; SQLite does not wait for others here, so we do."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self._query("PRAGMA journal_mode = WAL")
                return
            except ValueError as error:
                code = _code(error.__cause__)
                if code == sqlite3.SQLITE_READONLY:  # it can be read as it is
                    return
                if code != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
                time.sleep(0.01)

    def _query(self, statement: str, values: Iterable[object] = ()) -> list[tuple]:
        with self._lock:
            try:
                return self._connection.execute(statement, tuple(values)).fetchall()
            except (sqlite3.Error, UnicodeDecodeError) as error:  # its own messages may be damaged
                raise self._refusal(error) from error

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def check_writable(self) -> None:
        """Refuse a file that can only be read, before any work is done for it."""
        self._query("BEGIN IMMEDIATE")
        self._query("ROLLBACK")

    def add(self, record: Record) -> bool:
        """Store a record; return whether there was none of the same task."""
        marks = ", ".join("?" * len(_COLUMNS))
        statement = f"INSERT OR IGNORE INTO runs VALUES ({marks}) RETURNING 1"
        return bool(self._query(statement, astuple(record)))

    def __contains__(self, task: Task) -> bool:
        where = " AND ".join(f"{name} = ?" for name in _KEY)
        return bool(self._query(f"SELECT 1 FROM runs WHERE {where}", astuple(task)))

    def __iter__(self) -> Iterator[Record]:
        order = ", ".join(_KEY)
        for row in self._query(f"SELECT {', '.join(_COLUMNS)} FROM runs ORDER BY {order}"):
            values = dict(zip(_COLUMNS, row, strict=True))
            if not all(isinstance(values[name], types) for name, types in _HOLDS.items()):
                raise self._refusal(f"a run of it is {row!r:.100}")
            original = values["original"]
            yield Record(**values | {"original": None if original is None else bool(original)})

    def __len__(self) -> int:
        return self._query("SELECT count(*) FROM runs")[0][0]

    def tasks(self) -> set[Task]:
        """Tasks that have a record, failed ones included."""
        return {Task(*row) for row in self._query(f"SELECT {', '.join(_KEY)} FROM runs")}

    def chosen(self, method: str, dataset: str) -> list[dict[str, float]]:
        """What the searches of a method chose on a set, by realisation."""
        rows = self._query(
            "SELECT settings FROM runs WHERE stage = ? AND status = ? AND method = ? "
            "AND dataset = ? ORDER BY realisation",
            (TUNE, DONE, method, dataset),
        )
        try:
            return [json.loads(settings)["chosen"] for (settings,) in rows]
        except (ValueError, KeyError, TypeError) as error:
            raise self._refusal(f"a search of {method} on {dataset} chose nothing") from error

    def forget(self, tasks: Iterable[Task], status: Iterable[str] = (DONE, FAILED)) -> int:
        """Delete the records of tasks, of those that ended so; return how many there were."""
        where = " AND ".join(f"{name} = ?" for name in _KEY)
        statement = f"DELETE FROM runs WHERE status = ? AND {where} RETURNING 1"
        ended = tuple(status)
        return sum(
            len(self._query(statement, (one, *astuple(task)))) for task in tasks for one in ended
        )

    def forget_failures(self, tasks: Iterable[Task]) -> int:
        """Delete the records of those tasks that failed; return how many there were."""
        return self.forget(tasks, (FAILED,))

    def frame(self, stage: str = FIT) -> pandas.DataFrame:
        """Records of a stage as a table, ordered by their keys."""
        from drumlin._optional import pandas as pd

        rows = [astuple(record) for record in self if record.stage == stage]
        return pd.DataFrame(rows, columns=_COLUMNS)


def _code(error: object) -> int:
    """Primary code of an error of SQLite; 0 for others."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
