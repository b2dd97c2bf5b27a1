"""Rows in memory: sums over parts, draws by content, what weights and draws stand for."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest

from drumlin._kernels import HUBER, LOGISTIC, SOFTMAX, SQUARED, refinement_reference, threads
from drumlin.losses import Huber, Logistic, Softmax, Squared
from drumlin.refinement.objective import loss_of_part
from drumlin.sample import memory
from drumlin.sample.copies import merged
from tests._kernels.test_expansion import wide_problem
from tests._kernels.test_refinement import BACKENDS, SINGLE, assert_same
from tests.helpers import EXACT, assert_close, sample_of

LOSSES = {
    (LOGISTIC, 1): Logistic(),
    (SOFTMAX, 2): Softmax(2),
    (SOFTMAX, 7): Softmax(7),
    (SQUARED, 1): Squared(),
    (HUBER, 3): Huber(),
}


def make_sample(seed, n=1000, n_classes=3):
    rng = np.random.default_rng(seed)
    labels = rng.choice(n_classes, n, p=np.arange(1, n_classes + 1) / sum(range(n_classes + 1)))
    return sample_of(rng.standard_normal((n, 2)), labels, rng.uniform(0.5, 2.0, n))


def sum_of_losses(sample, nodes, loss):
    return sample.sum(partial(loss_of_part, nodes=nodes, loss=loss), cost=nodes.centers.size)


# ------------------------------------------------------------------ sums
@pytest.mark.parametrize("kind", LOSSES)
@pytest.mark.parametrize("single", [True, False])
def test_parts_of_losses_add_up(seed, monkeypatch, kind, single):
    """Of both backends' one kernel, in single and in double precision."""
    columns, targets, weight, nodes, code = wide_problem(seed, *kind, n=1000)
    sample = sample_of(columns.T.astype(np.float64), targets, weight, max(2, kind[1]))
    sample = sample.in_single(single)
    whole = sum_of_losses(sample, nodes, LOSSES[kind])
    monkeypatch.setattr(memory, "PART_ROWS", 100)
    cut = sample.take(slice(None))  # parts are remembered
    assert len(cut.parts) == 10
    tolerance = SINGLE if single else BACKENDS
    assert_same(sum_of_losses(cut, nodes, LOSSES[kind]), whole, tolerance)
    direct = refinement_reference.value_and_gradient(
        sample.X.T.copy(), sample.targets, weight, nodes, code
    )
    assert_same(whole, direct, tolerance)


def test_threads_do_not_change_a_bit(seed, monkeypatch):
    columns, labels, weight, nodes, _ = wide_problem(seed, n=5000)
    sample = sample_of(columns.T.astype(np.float64), labels, weight).in_single(True)
    monkeypatch.setattr(memory, "PART_ROWS", 700)
    monkeypatch.setattr(threads, "MIN_WORK", 1)
    results = []
    for n_threads in (1, 2, 5):
        monkeypatch.setattr(memory, "usable_threads", lambda n=n_threads: n)
        results.append(sum_of_losses(sample, nodes, Softmax(3)))
    for value, gradient in results[1:]:
        assert value == results[0][0]
        for ours, first in zip(gradient, results[0][1], strict=True):
            np.testing.assert_array_equal(ours, first)


def test_a_sum_is_that_of_all_rows(seed, monkeypatch):
    sample = make_sample(seed)
    monkeypatch.setattr(memory, "PART_ROWS", 64)

    def moments(part):
        return float(part.weight.sum()), part.weight @ part.X, (part.X.T @ part.X, part.n_rows)

    total, first, (second, n) = sample.sum(moments)
    assert len(sample.parts) == 16
    assert_close(total, sample.weight.sum(), EXACT)
    assert_close(first, sample.weight @ sample.X, EXACT)
    assert_close(second, sample.X.T @ sample.X, EXACT)
    assert n == sample.n_rows
    largest = sample.largest(lambda part: np.abs(part.X).max(axis=0))
    np.testing.assert_array_equal(largest, np.abs(sample.X).max(axis=0))


@pytest.mark.parametrize(
    ("n", "sizes"), [(1, [1]), (4096, [4096]), (4097, [4096, 1]), (200_000, [6250] * 32)]
)
def test_parts_depend_on_the_number_of_rows_alone(n, sizes, monkeypatch):
    for n_threads in (1, 7):
        monkeypatch.setattr(memory, "usable_threads", lambda n=n_threads: n)
        rows = sample_of(np.arange(float(n))[:, None], np.zeros(n))
        assert [part.n_rows for part in rows.parts] == sizes
        np.testing.assert_array_equal(np.concatenate([part.X for part in rows.parts]), rows.X)


# ------------------------------------------------------------------ draws
def drawn(sample, size):
    return set(sample.draw(size).index)


def test_small_tables_are_drawn_whole(seed):
    sample = make_sample(seed)
    assert sample.draw(1000) is sample
    assert sample.represented_by(1000).stands_for == 1.0


def test_draws_are_nested_and_deterministic(seed):
    sample, sizes = make_sample(seed), (10, 40, 41, 200, 999)
    draws = [drawn(sample, size) for size in sizes]
    for few, many in pairwise(draws):
        assert few <= many
    assert draws == [drawn(make_sample(seed), size) for size in sizes]
    # A draw of a draw is the smaller draw, but for a row that rounding gives to another class.
    assert len(drawn(sample.draw(200), 40) ^ drawn(sample, 40)) <= 2 * sample.n_classes


def test_draws_do_not_depend_on_the_order_of_rows(seed):
    sample = make_sample(seed)
    order = np.random.default_rng(seed).permutation(sample.n_rows)
    one, other = sample.draw(100), sample.take(order).draw(100)
    np.testing.assert_array_equal(other.index, one.index)
    np.testing.assert_array_equal(other.X, one.X)


def test_draws_do_not_depend_on_copies_that_are_merged(seed):
    """Two copies of every row, in any order, are one row with twice the weight."""
    sample = make_sample(seed)
    order = np.random.default_rng(seed).permutation(np.tile(np.arange(sample.n_rows), 2))
    X, labels, weight, index = merged(
        sample.X[order], sample.labels[order], sample.weight[order], order
    )
    copies = sample_of(X, labels, weight).draw(100)
    one = sample.draw(100)
    np.testing.assert_array_equal(index[copies.index], one.index)
    assert_close(copies.weight, 2.0 * one.weight, EXACT)


def test_draws_do_not_depend_on_the_view(seed):
    sample = make_sample(seed)
    seen = sample.through(lambda X: X @ np.ones((2, 1))).draw(100)
    np.testing.assert_array_equal(seen.index, sample.draw(100).index)
    assert_close(seen.X, sample.X[seen.index].sum(axis=1, keepdims=True))


@pytest.mark.parametrize("size", [30, 100, 500])
def test_draws_are_proportional_in_the_classes(seed, size):
    """By their rows: weights of classes are then in a draw what they are in all rows."""
    sample = make_sample(seed)
    share = np.bincount(sample.labels) / sample.n_rows
    draw = sample.draw(size)
    assert (np.abs(np.bincount(draw.labels) - size * share) <= 1).all()
    assert size - sample.n_classes <= draw.n_rows <= size


def test_classes_of_unequal_weight_keep_it_in_draws(seed):
    """Non-regression: balanced classes, one of them rare, were 9 to 1 in a draw."""
    rng = np.random.default_rng(seed)
    labels = (np.arange(20_000) < 200).astype(np.int64)
    weight = np.where(labels == 1, 50.0, 10_000 / 19_800)
    sample = sample_of(rng.standard_normal((20_000, 2)), labels, weight, 2)
    draw = sample.draw(5000)
    rare = draw.weight[draw.labels == 1].sum() / draw.total
    assert abs(rare - 0.5) < 0.02


def test_every_class_is_drawn(seed):
    labels = np.zeros(1000, np.int64)
    labels[[3, 700]] = 1, 2
    X = np.random.default_rng(seed).standard_normal((1000, 2))
    draw = sample_of(X, labels).draw(10)
    assert set(draw.labels) == {0, 1, 2}
    assert draw.n_rows <= 10 + 2  # those with less than a row of their own


def test_draws_of_numbers_look_like_the_table(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((20_000, 2)), rng.standard_normal(20_000)
    draw = sample_of(X, y).draw(2000)
    assert draw.n_rows == 2000
    numbers = np.column_stack([draw.X, draw.codes])
    assert (np.abs(numbers.mean(axis=0)) < 5.0 / np.sqrt(2000)).all()
    assert (np.abs(numbers.std(axis=0) - 1.0) < 5.0 / np.sqrt(4000)).all()


# ------------------------------------------------------------------ what rows stand for
def test_a_representation_keeps_the_summed_weight(seed):
    sample = make_sample(seed).with_noise(0.3)
    for size in (50, 300):
        some = sample.represented_by(size)
        assert some.n_rows <= size
        assert_close(some.loss_weight.sum(), sample.loss_weight.sum(), EXACT)
        assert_close(some.stands_for * some.total, sample.total, EXACT)
        again = some.represented_by(20)
        assert_close(again.loss_weight.sum(), sample.loss_weight.sum(), EXACT)


def test_noise_divides_and_a_copy_is_left_out(seed):
    sample = make_sample(seed)
    assert_close(sample.with_noise(4.0).loss_weight, sample.weight / 4.0, EXACT)
    np.testing.assert_array_equal(sample.left_out, np.minimum(sample.weight, 1.0))
    assert sample.with_noise(4.0).weight is sample.weight


def test_columns_are_the_inputs_in_the_precision_asked_for(seed):
    sample = make_sample(seed)
    np.testing.assert_array_equal(sample.columns, sample.X.T)
    single = sample.in_single(True).columns
    assert single.dtype == np.float32
    assert single.flags.c_contiguous
    assert_close(single, sample.X.T, 1e-7)


def test_targets_are_labels_or_numbers(seed):
    sample = make_sample(seed)
    assert sample.targets is sample.labels
    numbers = sample_of(sample.X, sample.X[:, 0])
    assert numbers.targets is numbers.codes
    assert numbers.with_codes(-numbers.codes).targets is not numbers.codes
    assert (sample.n_features, numbers.n_classes, sample.n_classes) == (2, 1, 3)


def test_the_effective_number_of_samples(seed):
    """4 n0 n1 / N for two classes; copies count, small weights by Kish."""
    rng = np.random.default_rng(seed)
    X, labels = rng.standard_normal((60, 2)), (np.arange(60) < 6).astype(int)
    assert_close(sample_of(X, labels).effective, 4 * 6 * 54 / 60)
    counts = rng.integers(1, 4, 60)
    weighted = sample_of(X, labels, counts.astype(float))
    copied = sample_of(np.repeat(X, counts, axis=0), np.repeat(labels, counts))
    assert_close(weighted.effective, copied.effective)
    assert_close(sample_of(X, labels, np.where(labels, 0.1, 1.0)).effective, 4 * 6 * 54 / 60)
    numbers = sample_of(X, X[:, 0], np.where(np.arange(60) < 30, 1.0, 1e-6))
    assert_close(numbers.effective, 30.0, 1e-4)
    balanced = sample_of(X, np.arange(60) % 3)
    assert_close(balanced.effective, 60.0)
    assert_close(balanced.apart(30).n_rows, 30)


def test_class_weights_make_samples_heavier_not_more(seed):
    X, labels = np.random.default_rng(seed).standard_normal((60, 2)), np.arange(60) // 50
    plain = sample_of(X, labels)
    factors = np.array([0.6, 3.0])
    heavy = replace(plain, weight=factors[labels], class_weights=tuple(factors))
    assert_close(heavy.effective, plain.effective)
    assert_close(heavy.left_out, factors[labels])
    copies = replace(heavy, weight=2.0 * heavy.weight)
    assert_close(copies.effective, 2.0 * plain.effective)
    assert_close(copies.left_out, factors[labels])
    part = copies.take(np.arange(40, 60))
    assert_close(part.left_out, factors[labels[40:]])


def test_the_reach_of_the_inputs(seed):
    sample = sample_of(np.random.default_rng(seed).standard_normal((9, 3)), np.zeros(9))
    for rows in (sample, sample.in_single(True), sample.take(slice(4))):
        np.testing.assert_array_equal(rows.reach, np.abs(rows.columns).max(axis=1))
