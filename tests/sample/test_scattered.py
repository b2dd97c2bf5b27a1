"""Rows in parts: the same answers as rows in memory, whatever the parts are."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from drumlin._kernels.threads import use_threads
from drumlin.losses import Logistic, Softmax
from drumlin.refinement.objective import loss_of_part
from drumlin.sample import PartsInMemory, Sample, Scattered, reserve
from drumlin.sample.parts import MOST_PARTS, consecutive
from drumlin.sample.reserve import Counts, Reserve
from tests._kernels.test_expansion import wide_problem
from tests._kernels.test_refinement import SINGLE, assert_same
from tests.helpers import EXACT, assert_close, sample_of

SIZE, APART = 300, 100
FIELDS = ("X", "codes", "labels", "weight", "index", "hashes", "targets", "loss_weight", "columns")


def make_sample(seed, n=2000, n_classes=3):
    rng = np.random.default_rng(seed)
    labels = rng.choice(n_classes, n, p=[0.1, 0.3, 0.6])
    labels[:3] = [0, 1, 2]
    return sample_of(rng.standard_normal((n, 4)), labels, rng.integers(1, 4, n).astype(float))


def blocks_of(sample, n_blocks, n_pieces=2, rng=None):
    """Blocks of pieces; rows in another order where there is a random one. One block is empty."""
    order = np.arange(sample.n_rows) if rng is None else rng.permutation(sample.n_rows)
    blocks = np.array_split(order, n_blocks)
    blocks = [[sample.take(p) for p in np.array_split(block, n_pieces)] for block in blocks]
    return [*blocks[:1], [], *blocks[1:]]


def scattered(sample, n_blocks=5, size=SIZE, apart=APART, rng=None):
    parts = PartsInMemory(blocks_of(sample, n_blocks, rng=rng))
    return Scattered.of(parts, sample.n_classes, size, apart)


def assert_equal(one, other):
    assert one.stands_for == pytest.approx(other.stands_for, rel=EXACT)
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


def test_rows_that_come_in_many_blocks_are_drawn_or_kept_apart():
    """A rare class repeated as often as the other has rows has fewer rows than were counted."""
    rng = np.random.default_rng(0)
    sample = sample_of(
        rng.standard_normal((2500, 4)), np.repeat([0, 1], [2000, 500]), np.ones(2500)
    )
    often = np.split(np.arange(2000), 4)
    blocks = [[sample.take(np.append(own, np.arange(2000, 2500)))] for own in often]
    rows = Scattered.of(PartsInMemory(blocks), 2, 3000, 400)
    drawn, apart = rows.draw(3000), rows.apart(400)
    for k, n_rows in enumerate((2000, 500)):
        one, other = (set(s.hashes[s.labels == k].tolist()) for s in (drawn, apart))
        assert not one & other
        assert len(other) == pytest.approx(0.1 * n_rows, abs=1)
        assert len(one) >= 0.7 * n_rows
    assert rows.n_rows == 4000
    np.testing.assert_array_equal(
        rows.apart(40).hashes, np.intersect1d(rows.apart(40).hashes, apart.hashes)
    )


@pytest.mark.parametrize("size", [100, 1000, 3000])
def test_a_class_whose_rows_come_in_every_block_weighs_its_share_of_a_draw(size):
    """It has more of the rows that differ in a draw than the other one has of its own."""
    rng = np.random.default_rng(0)
    sample = sample_of(
        rng.standard_normal((4100, 4)),
        np.repeat([0, 1], [4000, 100]),
        rng.integers(1, 4, 4100) + 0.0,
    )
    blocks = [
        [sample.take(np.append(own, np.arange(4000, 4100)))]
        for own in np.split(np.arange(4000), 40)
    ]
    rows = Scattered.of(PartsInMemory(blocks), 2, 3000, 800)
    totals = np.bincount(sample.labels, sample.weight) * [1, 40]
    assert isinstance(rows, Scattered)
    assert rows.total == totals.sum()
    for drawn in (rows.draw(size), rows.apart(min(size, 800))):
        weight = np.bincount(drawn.labels, drawn.weight)
        assert weight[1] / weight.sum() == pytest.approx(totals[1] / totals.sum(), rel=0.1)
        assert len(np.unique(drawn.weight[drawn.labels == 0])) == 3  # as they were


@pytest.mark.parametrize("n_times", [2, 30])
def test_few_rows_that_differ_are_taken_into_memory_however_often_they_come(n_times, monkeypatch):
    sample, held, merged = make_sample(0, n=350), [], reserve._merged

    def spy(parts):
        held.append(sum(part.n_rows for part in parts))
        return merged(parts)

    monkeypatch.setattr(reserve, "_merged", spy)
    rows = Scattered.of(PartsInMemory([[sample]] * n_times), 3, SIZE, APART)
    expected = Reserve.of(
        PartsInMemory([[sample]]), Counts.of(PartsInMemory([[sample]]), 3), 350, 9
    )
    assert isinstance(rows, Sample)
    np.testing.assert_array_equal(np.sort(rows.hashes), np.sort(sample.hashes))
    assert_equal(rows, replace(expected.everything(), weight=rows.weight))
    assert_close(rows.weight, n_times * expected.everything().weight)
    assert max(held) <= 4 * (SIZE + APART)


@pytest.mark.parametrize("n_blocks", [1, 5, 40])
def test_draws_are_those_of_rows_in_memory(seed, n_blocks):
    sample = make_sample(seed)
    rows = scattered(sample, n_blocks, rng=np.random.default_rng(seed))
    assert isinstance(rows, Scattered)
    assert (rows.n_rows, rows.n_features, rows.total) == (2000, 4, sample.total)
    for size in (1, 17, SIZE):
        assert_equal(rows.draw(size), sample.draw(size))
    for size in (1, 17, APART):
        assert_equal(rows.apart(size), sample.apart(size))
    noisy, plain = (s.through(np.tanh).with_noise(0.3).in_single(True) for s in (rows, sample))
    assert_equal(noisy.draw(50), plain.draw(50))
    drawn, expected = noisy.represented_by(50), plain.represented_by(50)
    assert drawn.stands_for == pytest.approx(expected.stands_for, rel=EXACT)


@pytest.mark.parametrize("single", [True, False])
def test_sums_are_those_of_rows_in_memory(seed, single):
    columns, targets, weight, nodes, _ = wide_problem(seed, 1, 3, n=1000)
    sample = sample_of(columns.T.astype(np.float64), targets, weight, 3)
    rows = scattered(sample)
    loss = partial(loss_of_part, nodes=nodes, loss=Softmax(3))
    ours, theirs = (
        s.through(np.tanh).through(np.sin).in_single(single).with_noise(2.0).sum(loss)
        for s in (rows, sample)
    )
    assert_same(ours, theirs, SINGLE if single else EXACT)


def test_the_largest_entries(seed):
    sample = make_sample(seed)
    for view in (np.negative, np.exp):
        ours, theirs = (
            s.through(view).largest(lambda part: part.X.max(axis=0))
            for s in (scattered(sample), sample)
        )
        np.testing.assert_array_equal(ours, theirs)


def test_neither_threads_nor_windows_change_a_bit(seed):
    sample = make_sample(seed, 1000)
    rows = scattered(sample, 7).in_single(True)

    def moments(part):
        return part.loss_weight @ part.X, part.X.T @ part.X

    with use_threads(1):
        one = rows.sum(moments)
    with use_threads(3):
        three = rows.sum(moments)
    for a, b in zip(one, three, strict=True):
        np.testing.assert_array_equal(a, b)


def test_parts_are_consecutive_blocks():
    for n in (0, 1, 5, MOST_PARTS, 33, 1000):
        parts = consecutive(n)
        assert [i for part in parts for i in part] == list(range(n))
        assert len(parts) == min(n, MOST_PARTS)
        assert not parts or max(map(len, parts)) - min(map(len, parts)) <= 1


def test_copies_in_several_blocks_are_one_row_of_a_draw(seed):
    """A weight of three is three copies, wherever they are."""
    sample = make_sample(seed)
    copied = Sample.joined([sample, sample, sample])
    rows = scattered(copied, 3)
    drawn, expected = rows.draw(SIZE), sample.draw(SIZE)
    for name in ("X", "codes", "labels", "hashes"):
        np.testing.assert_array_equal(getattr(drawn, name), getattr(expected, name))
    np.testing.assert_array_equal(drawn.weight, 3.0 * expected.weight)
    assert rows.total == 3.0 * sample.total


def test_few_different_rows_are_rows_in_memory(seed):
    """Nothing could be kept apart of them."""
    sample = make_sample(seed, 300)
    copied = Sample.joined([sample] * 10)
    rows = scattered(copied, 4, size=250, apart=200)
    assert isinstance(rows, Sample)
    assert rows.n_rows == 300
    np.testing.assert_array_equal(rows.X, sample.X[np.lexsort(sample.X.T[::-1])])
    np.testing.assert_allclose(rows.total, copied.total, rtol=EXACT)


def test_a_draw_is_bounded():
    with pytest.raises(ValueError, match=r"at most 300 rows\. Got 301"):
        scattered(make_sample(0)).draw(301)


def test_kept_columns_hold_no_more_than_sums_need(seed):
    """Of classes: four bytes per input, the label and the weight."""
    rows = scattered(make_sample(seed)).through(np.tanh).in_single(True)
    piece = rows.pieces.blocks[0][0]
    assert piece.X.dtype == np.float32
    assert np.shares_memory(piece.in_single(True).columns, piece.X)
    assert len(piece.hashes) == len(piece.index) == piece.codes.size == 0
    assert rows.in_single(True) == rows


def test_a_loss_of_two_classes(seed):
    columns, targets, weight, nodes, _ = wide_problem(seed, 0, 1, n=500)
    sample = sample_of(columns.T.astype(np.float64), targets, weight, 2)
    loss = partial(loss_of_part, nodes=nodes, loss=Logistic())
    (ours, _), (theirs, _) = scattered(sample, size=20, apart=20).sum(loss), sample.sum(loss)
    assert_close(ours, theirs, EXACT)
