"""Tables that are not in memory: the same model, whatever is kept where."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning

from drumlin import DrumlinClassifier, DrumlinRegressor
from drumlin.estimators.block_plan import units_of
from drumlin.estimators.blocks import Block, facts_of
from drumlin.estimators.large_tables import Table
from drumlin.refinement.objective import loss_of_part
from drumlin.sample import PartsInMemory, Sample, Scattered, batches
from drumlin.sample.audience import told_to
from drumlin.sample.batches import Anew, Kept
from drumlin.sample.codes import output_units
from tests.helpers import EXACT, assert_close
from tests.small import N_ROWS, assert_same_model, cut, make_table, use_small_recipe

KINDS = {"classes": DrumlinClassifier, "numbers": DrumlinRegressor}
SIZES = (5000, 0, 3000, 4500)


@pytest.fixture(scope="module", params=KINDS)
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def table(kind):
    return make_table(kind)


@pytest.fixture
def _small(monkeypatch):
    use_small_recipe(monkeypatch)


@pytest.fixture(scope="module")
def fitted(kind, table):
    """Model of batches that are kept in memory."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        use_small_recipe(monkeypatch)
        return KINDS[kind]().fit_batches(cut(table, SIZES))


# ------------------------------------------------------------------ the model
@pytest.mark.usefixtures("_small")
def test_a_table_in_batches_is_the_table(kind, table, fitted):
    """The same draws; sums over all rows are added in another order, in single precision."""
    X, y, weight = table
    model = KINDS[kind]().fit(X, y, weight)
    np.testing.assert_array_equal(model.support_, fitted.support_)
    spread = model.network_(X).std()
    assert np.abs(model.network_(X) - fitted.network_(X)).max() < 0.01 * spread
    assert abs(model.loo_error_ - fitted.loo_error_) < 1e-3


@pytest.mark.usefixtures("_small")
def test_on_disk_it_is_the_same(kind, table, fitted):
    model = KINDS[kind]()
    model.fit_batches(lambda: iter(cut(table, SIZES)), memory=100_000)  # not one block fits
    assert_same_model(model, fitted)


@pytest.mark.usefixtures("_small")
def test_read_anew_it_is_the_same(kind, table, fitted, monkeypatch):
    """Where the disk is full."""
    monkeypatch.setattr(batches, "SPARE_DISK", 0.0)
    assert_same_model(KINDS[kind]().fit_batches(cut(table, SIZES), memory=0), fitted)


def test_a_small_table_is_fitted_in_memory(kind):
    X, y, weight = (a[:600] for a in make_table(kind))
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = KINDS[kind]().fit_batches(cut((frame, y, weight), (250, 350)))
    assert_same_model(model, KINDS[kind]().fit(frame, y, weight))
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]


@pytest.mark.usefixtures("_small")
def test_an_interrupt_keeps_the_best(kind, table, monkeypatch):
    """In the last stage, the only one with passes over all rows for the loss."""
    losses = []

    def fold(self, f, join, plain=Kept.fold):
        inner = f.keywords.get("f") if isinstance(f, partial) else None
        losses.extend([f] if getattr(inner, "func", None) is loss_of_part else [])
        if len(losses) == 3:
            raise KeyboardInterrupt
        return plain(self, f, join)

    monkeypatch.setattr(Kept, "fold", fold)
    with pytest.warns(ConvergenceWarning, match="was interrupted"):
        model = KINDS[kind]().fit_batches(cut(table, SIZES))
    assert model.n_nodes_ > 2
    assert len(losses) == 3


@pytest.mark.usefixtures("_small")
def test_rows_are_told_as_they_pass(kind, table):
    """Every stage as many as it said, the last at least half: iterations may be fewer."""
    heard: list = []

    class Listener:
        def on_stage(self, stage, n_passes, n_rows):
            heard.append([stage, n_passes * (n_rows or N_ROWS), 0])

        def on_rows(self, n_rows):
            heard[-1][2] += n_rows

    with told_to(Listener()):
        KINDS[kind]().fit_batches(cut(table, SIZES))
    stages = {stage: seen / said for stage, said, seen in heard}
    assert list(stages) == [
        "reading", "preparing", "drawing", "measuring", "refining on all rows",
    ]  # fmt: skip
    assert stages["reading"] == 1.0
    for stage in ("preparing", "drawing", "measuring"):
        assert 0.9 < stages[stage] <= 1.25  # without rows of no weight; one more for numbers
    assert stages["refining on all rows"] > 0.5


# ------------------------------------------------------------------ pieces
def in_blocks(estimator, arrays, sizes):
    blocks = [[Block(i, *batch)] for i, batch in enumerate(cut(arrays, sizes))]
    numbers = isinstance(estimator, DrumlinRegressor)
    return Table(PartsInMemory(blocks), numbers, None)


@pytest.mark.parametrize(
    "class_weight", [None, "balanced", {"no": 0.0, "yes": 3.0}, {"no": 0.02, "yes": 0.1}]
)
@pytest.mark.parametrize("unit", [1.0, 1e-3, 2.0**60])
def test_pieces_are_the_rows_of_a_table_in_memory(kind, class_weight, unit):
    """Weights, codes, hashes and places of all rows: one block is sorted as the table is."""
    X, y, weight = (a[:900] for a in make_table(kind))
    X[:40], y[:40] = X[40:80], y[40:80]
    estimator = KINDS[kind]()
    if kind == "classes":
        estimator.set_params(class_weight=class_weight)
    arrays = X, y, weight * unit
    expected = estimator._prepared(*arrays)
    table = in_blocks(estimator, arrays, (900,))
    plan = estimator._plan_of(table)
    pieces = table.parts.mapped(plan)
    rows = Sample.joined(pieces.blocks[0])
    for name in ("X", "labels", "hashes", "index"):
        np.testing.assert_array_equal(getattr(rows, name), getattr(expected.rows, name))
    for name in ("codes", "weight", "left_out", "copies"):
        assert_close(getattr(rows, name), getattr(expected.rows, name), EXACT)
    assert rows.n_classes == expected.rows.n_classes
    for ours, theirs in zip(plan.units, expected.units, strict=True):
        assert_close(ours, theirs, EXACT)


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_units_of_blocks_are_those_of_all_targets(seed, scale):
    rng = np.random.default_rng(seed)
    y, weight = rng.standard_normal((100, 2)) * [scale, 3.0] + [0.0, 1e6], rng.random(100)
    y[:, 1] = np.where(rng.random(100) < 0.5, y[:, 1], -1.0)
    blocks = cut((np.zeros((100, 1)), y, weight), (30, 0, 69, 1))
    facts = {}
    for i, block in enumerate(blocks):
        facts |= facts_of(Block(i, *block), numbers=True)
    for ours, theirs in zip(units_of(facts), output_units(y, weight), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=EXACT, atol=EXACT * scale)


def test_kept_blocks_come_back_and_leave_nothing(tmp_path, monkeypatch, seed):
    monkeypatch.setattr(batches.tempfile, "tempdir", str(tmp_path))
    rng = np.random.default_rng(seed)
    items = [[Block(i, rng.random((5, 2)), rng.random(5), np.ones(5))] for i in range(4)]
    kept = Kept.of(items, 4, memory=200)  # of 160 bytes each: one in memory
    assert len(list(tmp_path.rglob("*.block"))) == 3
    total = kept.fold(lambda block: block.X.sum(axis=0), np.add)
    assert_close(total, sum(item[0].X.sum(axis=0) for item in items), EXACT)
    anew = Anew(kept, lambda block: [block, block])
    assert_close(anew.fold(lambda block: block.X.sum(axis=0), np.add), 2.0 * total, EXACT)
    del kept, anew
    assert not list(tmp_path.iterdir())


def test_single_precision_is_read_as_the_numbers_it_holds():
    X, y, weight = (a[:300] for a in make_table("numbers"))
    X = X.astype(np.float32)
    model = DrumlinRegressor(max_nodes=2).fit_batches(cut((X, y, weight), (100, 200)))
    assert_same_model(model, DrumlinRegressor(max_nodes=2).fit(X, y, weight))


# ------------------------------------------------------------------ messages
def batch(X=((0.0,), (1.0,)), y=(0, 1), weight=None):
    return (np.array(X), np.array(y)) + (() if weight is None else (np.array(weight),))


GOOD = batch()
BAD = [
    ([], "needs at least one batch"),
    (iter([GOOD]), r"must be read several times: .* Got list_iterator"),
    (3, r"must be read several times: .* Got int"),
    ([np.zeros((2, 2))], r"must be \(X, y\) or \(X, y, sample_weight\)\. Got ndarray"),
    (
        [GOOD, batch(X=((np.nan,), (1.0,)))],
        r"Batch 1 \(from 0\) .* finite .* Got nan in row",
    ),
    ([GOOD, batch(X=((1.0, 2.0), (1.0, 2.0)))], r"Batch 1 .* must have 1 columns\. Got 2"),
    ([GOOD, batch(X=(("a",), ("b",)))], r"Batch 1 .* must hold numbers"),
    ([GOOD, batch(y=(0, 1, 1))], r"Batch 1 .* as many rows\. Got 2 and 3"),
    ([GOOD, batch(y=(0.0, np.nan))], r"'y' of Batch 1 .* no gaps"),
    ([GOOD, batch(y=(0.5, 1.7))], r"[Uu]nknown label type"),
    ([GOOD, batch(weight=(1.0, np.inf))], r"Batch 1 .* finite numbers, one per row"),
    ([batch(X=np.empty((0, 1)), y=[])], r"at least one row\. Got none"),
]


@pytest.mark.parametrize("bad, message", BAD)
def test_bad_batches(bad, message):
    with pytest.raises((ValueError, TypeError), match=message):
        DrumlinClassifier().fit_batches(bad)


def test_columns_must_be_numbers_and_the_same():
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]})
    with pytest.raises(ValueError, match=r"columns of other types: 'b' \("):
        DrumlinClassifier().fit_batches([(frame, np.array([0, 1]))])
    good = (frame[["a"]], np.array([0, 1]))
    with pytest.raises(ValueError, match=r"Batch 1 .* Got \['c'\], not \['a'\]"):
        DrumlinClassifier().fit_batches([good, (good[0].rename(columns={"a": "c"}), good[1])])


@pytest.mark.usefixtures("_small")
@pytest.mark.parametrize(
    "change, message",
    [
        (lambda X, y, w: (X, y, -w), r"not negative and not all zero\. Got numbers from -2 to"),
        (lambda X, y, w: (X, y, 0.0 * w), r"not all zero\. Got numbers from 0 to 0"),
        (lambda X, y, w: (X, np.repeat("no", len(y)), w), r"at least two classes .* Got 1 class"),
    ],
)
def test_bad_tables_of_many_rows(change, message):
    X, y, weight = change(*make_table("classes"))
    assert len(X) == N_ROWS
    with pytest.raises(ValueError, match=message):
        DrumlinClassifier().fit_batches(cut((X, y, weight), SIZES))


@pytest.mark.usefixtures("_small")
def test_rows_are_not_gathered(table, kind, monkeypatch):
    """Or nothing here would be tested."""
    seen = []
    of = Scattered.of.__func__
    monkeypatch.setattr(
        Scattered, "of", classmethod(lambda cls, *a: seen.append(of(cls, *a)) or seen[-1])
    )
    prepared = KINDS[kind]()._of_batches(cut(table, SIZES), 0)
    assert type(prepared.rows) is Scattered
    assert seen == [prepared.rows]
    assert isinstance(prepared.rows.pieces, Kept)


@pytest.mark.parametrize(("later", "got"), [(0, "only 0"), (2, "only 2"), (4, "more")])
def test_other_batches_on_a_later_pass(later, got):
    """Non-regression: a StopIteration from the depths, or what was more was ignored."""
    one = np.ones(1)
    streamed = batches.Streamed(
        lambda: iter(range(later)), lambda i, _: [Block(i, one[None], one, one)], 1000, 3
    )
    for ask in (
        lambda: streamed.fold(lambda block: block.number, max),
        lambda: streamed.mapped(lambda block: [block]),
    ):
        with pytest.raises(ValueError, match=f"'batches' parameter .* Got 3 at first and {got}"):
            ask()


def test_labels_in_two_columns():
    X, y, _ = (a[:60] for a in make_table("classes"))
    with pytest.raises(ValueError, match=r"'y' of .* one class per row. Got shape \(60, 2\)"):
        DrumlinClassifier().fit_batches([(X, np.column_stack([y, y]))])


@pytest.mark.usefixtures("_small")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda X, y: (X[:-9], y[:-9]), r"number 0 \(from 0\) had 7000 rows\. Got 6991 later"),
        (lambda X, y: (X * np.nan, y), r"'X' of Batch 0 .* Got nan in row 0"),
        (lambda X, y: (X[:, :2], y), r"'X' of Batch 0 .* must have 3 columns\. Got 2"),
    ],
)
def test_other_rows_on_a_later_pass(change, message):
    """Non-regression: a silently different model, or an AttributeError from the depths."""
    X, y, _ = make_table("classes")
    reads = []

    def read():
        reads.append(1)
        given = cut((X, y), (7000, 5500))
        return iter(given if len(reads) < 3 else [change(*batch) for batch in given])

    with pytest.raises(ValueError, match=message):
        DrumlinClassifier().fit_batches(read)


@pytest.mark.parametrize("memory", [-1, 1.5, "2GB", "lots", None])
def test_memory_is_a_number_of_bytes(memory):
    with pytest.raises(ValueError, match=r"'memory' parameter of .* number of bytes\. Got"):
        DrumlinClassifier().fit_batches([GOOD], memory=memory)


def test_a_temporary_folder_that_is_not_there_has_no_room(tmp_path, monkeypatch):
    """Non-regression: FileNotFoundError; blocks are made anew instead."""
    monkeypatch.setattr(batches.tempfile, "tempdir", str(tmp_path / "nowhere"))
    one = np.ones(1)
    assert Kept.of([[Block(0, one[None], one, one)]], 1, memory=0) is None


@pytest.mark.parametrize(
    ("estimator", "values", "message"),
    [
        (DrumlinRegressor, {"y": ("u", "v")}, r"'y' of Batch 0 .* must hold numbers: .*'u'"),
        (DrumlinRegressor, {"y": (1j, 2j)}, r"'y' of Batch 0 .* real numbers\. Got complex"),
        (DrumlinClassifier, {"weight": ("u", "v")}, r"'sample_weight' of Batch 0 .* hold numbers"),
        (DrumlinClassifier, {"weight": (1j, 2j)}, r"'sample_weight' of .* real numbers\. Got comp"),
        (DrumlinClassifier, {"weight": ((1.0,), (2.0,))}, r"one per row\. Got shape \(2, 1\)"),
        (DrumlinClassifier, {"y": ("u", pd.NA)}, r"'y' of Batch 0 .* no gaps"),
    ],
)
def test_values_that_are_no_numbers(estimator, values, message):
    """Non-regression: no parameter was named, or imaginary parts were dropped."""
    with pytest.raises(ValueError, match=message):
        estimator().fit_batches([batch(**values)])
