"""Ctrl-C and its kin, with real processes and real signals: one rule at every moment.

The exit code is 128 and the signal, no temporary file and no traceback is left, what is said of
files is true, and an unfinished model is saved only on request.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import drumlin
from drumlin._signals import Stopped, remembered_interrupt, stopped_by_signals
from tests.cli.processes import finish, run_ambushed, run_code, start

pytestmark = pytest.mark.skipif(os.name == "nt", reason="has no such signals")

CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}
IN_A_FIT = "before drumlin.cli.progress:FitBar.on_fit_task_end 3"
IN_A_FILE = "before drumlin.io.files:write_archive"
CLEARING_UP = "before pathlib:Path.unlink"
WRITTEN = "after os:replace"


def fit(number, moments, table, place, *options):
    return run_ambushed(
        number, moments, "fit", table, "-t", "survived", "--method", "forward",
        "-o", place / "m.drumlin", *options,
    )  # fmt: skip


def names(place):
    return sorted(path.name for path in place.iterdir())


@pytest.mark.parametrize(("number", "moments"), [
    (signal.SIGINT, ["before drumlin.deploy.training:make_table_model"]),
    (signal.SIGINT, [IN_A_FIT]),
    (signal.SIGTERM, [IN_A_FIT]),
    (signal.SIGTERM, [IN_A_FILE, CLEARING_UP]),
    (signal.SIGHUP, [IN_A_FILE]),
    (signal.SIGINT, ["before os:replace"]),
])  # fmt: skip
def test_stopped_fit_saves_nothing(number, moments, table, tmp_path):
    code, out, told = fit(number, moments, table, tmp_path)
    assert code == CODES[number]
    assert told.splitlines()[-1] == "Stopped; nothing was written."
    assert "Traceback" not in told
    assert not out
    assert not names(tmp_path)


def test_old_model_stays(table, tmp_path):
    (tmp_path / "m.drumlin").write_text("precious")
    code, _, told = fit(signal.SIGINT, [IN_A_FILE, CLEARING_UP], table, tmp_path)
    assert code == 130
    assert told.splitlines()[-1] == "Stopped; nothing was written."
    assert (tmp_path / "m.drumlin").read_text() == "precious"
    assert names(tmp_path) == ["m.drumlin"]


@pytest.mark.parametrize("moments", [[WRITTEN], [WRITTEN, "before drumlin.cli.fit:show_trained"]])
def test_stopped_after_writing(moments, table, tmp_path):
    """Non-regression: it said that nothing was written."""
    code, _, told = fit(signal.SIGINT, moments, table, tmp_path)
    assert code == 130
    assert told.splitlines()[-1] == f"Stopped; {tmp_path / 'm.drumlin'} was written."
    assert names(tmp_path) == ["m.drumlin"]
    drumlin.load(tmp_path / "m.drumlin")


# ------------------------------------------------------------------ --keep-interrupted
def test_best_so_far_is_kept_on_request(table, tmp_path):
    options = ["--keep-interrupted", "--json"]
    code, out, told = fit(signal.SIGINT, [IN_A_FIT], table, tmp_path, *options)
    assert code == 130
    assert "the best network so far (3 nodes) is kept" in told
    assert "Stopped" not in told
    assert json.loads(out)["interrupted"] is True
    assert drumlin.load(tmp_path / "m.drumlin")[-1].n_nodes_ == json.loads(out)["n_nodes"] == 3
    assert names(tmp_path) == ["m.drumlin"]


@pytest.mark.parametrize(("number", "moments"), [
    (signal.SIGINT, ["before drumlin.deploy.training:make_table_model"]),  # nothing to keep
    (signal.SIGINT, [IN_A_FIT, "before drumlin.deploy.training:_source"]),
    (signal.SIGINT, [IN_A_FIT, IN_A_FILE, CLEARING_UP]),
    (signal.SIGTERM, [IN_A_FIT]),  # is no Ctrl-C
])  # fmt: skip
def test_what_is_not_kept(number, moments, table, tmp_path):
    code, _, told = fit(number, moments, table, tmp_path, "--keep-interrupted")
    assert code == CODES[number]
    assert told.splitlines()[-1] == "Stopped; nothing was written."
    assert not names(tmp_path)


# ------------------------------------------------------------------ other commands
@pytest.mark.parametrize(("number", "moments", "last"), [
    (signal.SIGTERM, ["before drumlin.deploy.deployed:Deployed.is_novel"], "nothing"),
    (signal.SIGHUP, ["before drumlin.deploy.deployed:Deployed.is_novel", CLEARING_UP], "nothing"),
    (signal.SIGINT, [WRITTEN, CLEARING_UP], "answers.csv"),
])  # fmt: skip
def test_predict(number, moments, last, model, folder, tmp_path):
    out = tmp_path / "answers.csv"
    code, _, told = run_ambushed(number, moments, "predict", model, folder / "new.csv", "-o", out)
    assert code == CODES[number]
    assert told.endswith(f"{last} was written.\n")
    assert names(tmp_path) == ([] if last == "nothing" else [last])


def test_report(model, table, tmp_path):
    moment = "before drumlin.report.page:write_text"
    out = tmp_path / "report.html"
    code, _, told = run_ambushed(signal.SIGTERM, [moment], "report", model, table, "-o", out)
    assert code == 143
    assert told.endswith("Stopped; nothing was written.\n")
    assert not names(tmp_path)


def test_compare_does_not_go_on_with_half_a_model(table):
    """A fit that survives Ctrl-C is no result."""
    moment = "before drumlin.selection.proposals:SamplePool.best 3"
    options = ["--target", "survived", "--method", "forward", "--json"]
    code, out, told = run_ambushed(signal.SIGINT, [moment], "compare", table, *options)
    assert (code, out, told.splitlines()[-1]) == (130, "", "Stopped.")


def test_compare_keeps_what_has_finished(table):
    moment = "before drumlin.evaluation.comparison:_Fold.measures 3"
    options = ["--target", "age", "--methods", "constant,ridge", "--folds", "2", "--json"]
    code, out, told = run_ambushed(signal.SIGINT, [moment], "compare", table, *options)
    assert code == 130
    assert [row["method"] for row in json.loads(out)["methods"]] == ["constant"]
    assert told.splitlines()[-1] == "Stopped: 1 of 2 methods have finished."


@pytest.mark.parametrize(("number", "module"), [
    (signal.SIGINT, "drumlin.cli.app"),
    (signal.SIGINT, "typer"),
    (signal.SIGTERM, "drumlin.cli.fit"),
    (signal.SIGINT, "numpy"),
    (signal.SIGINT, "pandas"),
])  # fmt: skip
def test_during_import(number, module, table):
    """Non-regression: a traceback."""
    command = ["fit", table, "-t", "survived"]
    code, out, told = run_ambushed(number, [f"import {module}"], *command, run=run_code)
    assert (code, out) == (CODES[number], "")
    assert told in ("", "Stopped.\n")


def test_nothing_large_is_imported_before_signals_are_taken_care_of():
    modules = "import sys, drumlin.__main__; print(sorted({'numpy', 'typer'} & set(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", modules], capture_output=True, check=True)
    assert told.stdout == b"[]\n"


@pytest.mark.parametrize("delays", [(0.0,), (0.3, 0.001), (0.02, 0.6)])
def test_from_outside(delays, table, tmp_path):
    """At moments that nobody chose, from the first word on; whatever was reached, it is told."""
    command = ["fit", table, "-t", "survived", "-o", tmp_path / "m.drumlin"]
    process = start(*command)
    assert b"rows without a value" in process.stderr.readline()
    for delay in delays:
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
    code, _, told = finish(process)
    assert "Traceback" not in told
    if code == 0:  # it was too late
        assert names(tmp_path) == ["m.drumlin"]
        return
    assert code == 130
    written = told.endswith("m.drumlin was written.\n")
    assert written or told.endswith("Stopped; nothing was written.\n")
    assert names(tmp_path) == (["m.drumlin"] if written else [])


# ------------------------------------------------------------------ the parts
@pytest.fixture
def usual_signals():
    """Put back what a block that should be the last has left."""
    before = {number: signal.getsignal(number) for number in CODES}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("usual_signals")
def test_lost_exception_still_ends_the_block(monkeypatch):
    """Python drops what is raised in a destructor, and says so of what does not end the block."""

    class Dying:
        def __del__(self):
            os.kill(os.getpid(), signal.SIGTERM)

    class Failing:
        def __del__(self):
            raise LookupError

    lost = []
    monkeypatch.setattr(sys, "unraisablehook", lambda dropped: lost.append(dropped.exc_type))
    with pytest.raises(Stopped) as ended, stopped_by_signals():
        Dying()
        Failing()
    assert lost == [LookupError]
    assert ended.value.code == 143


@pytest.mark.usefixtures("usual_signals")
def test_second_signal_is_left_alone_and_a_third_insists():
    with pytest.raises(Stopped), stopped_by_signals():
        for raises in (True, False, True):
            try:
                os.kill(os.getpid(), signal.SIGTERM)
            except Stopped:
                assert raises
            else:
                assert not raises
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN


@pytest.mark.usefixtures("usual_signals")
def test_signals_that_are_ignored_stay_so():
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with stopped_by_signals():
        os.kill(os.getpid(), signal.SIGHUP)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_interrupt_is_remembered_where_a_fit_survives_it(seed):
    class Interrupting:
        def setup(self, estimator, context): ...

        def teardown(self, estimator, context): ...

        def on_fit_task_begin(self, estimator, context): ...

        def on_fit_task_end(self, estimator, context):
            if context.task_name == "node":
                os.kill(os.getpid(), signal.SIGINT)
            return False

    X = np.random.default_rng(seed).normal(size=(50, 2))
    model = drumlin.ForwardRBFRegressor(1.0).set_callbacks(Interrupting())
    outside = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored after ``&``
    try:
        with remembered_interrupt() as interrupt, pytest.warns(ConvergenceWarning, match="interr"):
            model.fit(X, X[:, 0])
    finally:
        signal.signal(signal.SIGINT, outside)
    assert interrupt.is_set()
    assert model.n_nodes_ == 1
