"""Large tables: growing draws, growing networks, rows kept apart that judge."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drumlin.refinement import GrowthRule, LargeRefinement, StirRule, Unseen, penalized_loss
from drumlin.refinement import moves as module
from drumlin.refinement.rounds import Moved, with_weights
from drumlin.sample.audience import told_to
from tests.helpers import assert_close
from tests.refinement.problems import (
    LOSSES,
    SCHEDULE,
    make_objective,
    make_sample,
    make_variables,
    random_point,
)

RULE = replace(GrowthRule(), first=200, rows=200, apart=(0.2, 10_000))


def capped(rule, cap):
    return replace(rule, most_nodes=cap)


def large(sample, loss, on_round=lambda state: False, cap=30, **limits):
    objective = make_objective(loss, price=0.5, **limits)
    return LargeRefinement(sample, objective, SCHEDULE, capped(RULE, cap), on_round)


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_networks_grow_while_rows_kept_apart_gain(seed, loss):
    sample, told = make_sample(seed, loss, n=2000), []
    work = large(sample, loss, lambda state: told.append(state))
    found = work.run(make_variables(sample, loss, 1))
    assert found.n_nodes > 1
    assert len(set(found.variables.support)) == found.n_nodes
    losses = [Unseen.apart(loss, state, work.apart).loss for state in told]
    first = len(RULE.first_rounds)
    assert np.all(np.diff(losses[first:-1]) < 0.0)  # the last one has seen them
    assert_close(work.judged.loss, losses[-2])
    whole = [
        penalized_loss(sample, loss, state.variables, state.vector, state.precision())[0]
        for state in told[-2:]
    ]
    assert whole[1] < whole[0]


def test_rows_kept_apart_are_in_no_draw(seed):
    sample = make_sample(seed, LOSSES["logistic"], n=1000)
    apart = set(sample.apart(200).index)
    assert len(apart) == 200
    assert not apart & set(sample.draw(800).index)


def test_rows_kept_apart_are_in_no_round_before_the_last(seed, monkeypatch):
    """Not in the first draw either, where the table has hardly more rows than that."""
    sample, seen = make_sample(seed, LOSSES["logistic"], n=220), []
    usual = module.one_round

    def watched(state, rows, *others, **options):
        seen.append(set(rows.index))
        return usual(state, rows, *others, **options)

    monkeypatch.setattr(module, "one_round", watched)
    work = large(sample, LOSSES["logistic"])
    work.run(make_variables(sample, LOSSES["logistic"], 2))
    apart = set(work.apart.index)
    assert len(apart) == 44
    assert not any(apart & rows for rows in seen if len(rows) < 220)
    assert len(seen[0]) == 176
    assert len(seen[-1]) == 220


def test_noise_is_not_learned(seed):
    """Nodes that explain nothing are not added, however many rows there are."""
    loss = LOSSES["logistic"]
    sample = make_sample(seed, loss, n=2000)
    labels = np.random.default_rng(seed).integers(0, 2, 2000)
    sample = replace(sample, labels=labels)
    assert large(sample, loss).run(make_variables(sample, loss, 1)).n_nodes == 1


@pytest.mark.parametrize(("cap", "max_nodes"), [(3, None), (30, 3)])
def test_limits_hold(seed, cap, max_nodes):
    loss = LOSSES["squared"]
    sample = make_sample(seed, loss, n=2000)
    found = large(sample, loss, cap=cap, max_nodes=max_nodes).run(make_variables(sample, loss, 2))
    assert found.n_nodes <= 3


def test_the_audience_may_stop_it(seed):
    loss, told = LOSSES["logistic"], []
    sample = make_sample(seed, loss, n=2000)

    def second(state):
        told.append(state)
        return len(told) == 2

    found = large(sample, loss, second).run(make_variables(sample, loss, 2))
    assert len(told) == 2
    assert found is told[-1]
    assert not found.interrupted


@pytest.mark.parametrize("after", [1, 3])
def test_an_interrupt_keeps_the_best_so_far(seed, after):
    loss, told = LOSSES["logistic"], []
    sample = make_sample(seed, loss, n=2000)

    def interrupt(state):
        told.append(state)
        if len(told) == after:
            raise KeyboardInterrupt
        return False

    found = large(sample, loss, interrupt).run(make_variables(sample, loss, 2))
    assert found == replace(told[-1], interrupted=True)


def test_of_several_starts_the_best_goes_on(seed):
    """Nodes beyond the limit are there to choose from: rows kept apart say whether that helped."""
    loss = LOSSES["squared"]
    sample = make_sample(seed, loss, n=2000)
    few, many = make_variables(sample, loss, 1), make_variables(sample, loss, 6)
    told, first = [], len(RULE.first_rounds)
    work = large(sample, loss, told.append, max_nodes=2)
    assert work.run(few, many).n_nodes <= 2
    pair = told[first - 1 : first + 1]
    before, after = (Unseen.apart(loss, state, work.apart) for state in pair)
    assert after.loss < before.loss
    assert set(after.state.variables.support) <= set(many.support)
    assert after.state.n_nodes == 2
    alone, beside = (large(sample, loss, max_nodes=2).run(many, *others) for others in ((), (few,)))
    np.testing.assert_array_equal(alone.vector, beside.vector)


@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_rounds_go_on_only_where_much_is_left_to_be_saved(seed, noise, monkeypatch):
    loss, seen = LOSSES["squared"], []
    rng = np.random.default_rng(seed)
    sample = make_sample(seed, loss, n=2000)
    signal = np.sin(2.0 * sample.X[:, :1]) * sample.X[:, 1:2] + noise * rng.standard_normal(
        (2000, 1)
    )
    work = large(sample.with_codes(signal / signal.std()).with_noise(noise**2 / 2 + 1e-4), loss)
    original = work.after_descent

    def spy(state, part, iterations):
        after = original(state, part, iterations)
        seen.append((iterations, work.judged.loss, after.loss))
        return after

    monkeypatch.setattr(work, "after_descent", spy)
    work.run(make_variables(sample, loss, 4))
    seen.pop()  # that tells whether descents do harm
    last = max(i for i, (iterations, _, _) in enumerate(seen) if iterations == RULE.iterations)
    further = seen[last + 1 :]
    saved = [1.0 - after / before for _, before, after in seen[last:]]
    assert [iterations for iterations, _, _ in further] == list(SCHEDULE.further[: len(further)])
    assert all(part >= RULE.persistence for part in saved[:-1])
    assert len(further) == len(SCHEDULE.further) or saved[-1] < RULE.persistence
    assert bool(further) == (noise == 0.0)


@pytest.mark.parametrize(("second", "worth"), [(200, 0.0), (200, 1.0), (2000, 0.0)])
def test_all_rows_go_on_while_a_round_saves_much(seed, second, worth, monkeypatch):
    """Where they are many more than the second draw has."""
    loss, sample, saved = LOSSES["logistic"], make_sample(seed, LOSSES["logistic"], n=2000), []
    rule = replace(
        RULE,
        second=second,
        last=((np.inf, 4),),
        last_of_one=(0, 2),
        last_rounds=3,
        last_worth=worth,
    )
    stirring = StirRule(harm=np.inf, rows=100, steps=20, passes=1, longest=2)
    objective = make_objective(loss, price=0.5)
    work = LargeRefinement(sample, objective, SCHEDULE, capped(rule, 30), stirring=stirring)
    original = work.descended

    def spy(state, rows, iterations, **options):
        done = original(state, rows, iterations, **options)
        if rows is sample:
            values = [
                penalized_loss(sample, loss, s.variables, s.vector, done.state.precision())[0]
                for s in (state, done.state)
            ]
            saved.append(done.saved)
            assert done.saved == pytest.approx(1.0 - values[1] / values[0], abs=1e-6)
        return done

    monkeypatch.setattr(work, "descended", spy)
    found = work.run(make_variables(sample, loss, 1))
    assert found is work.state
    assert len(saved) == (3 if second == 200 and worth == 0.0 else 1)
    assert all(part > 0.0 for part in saved)


def test_an_audience_may_end_the_last_rounds(seed, monkeypatch):
    loss, sample, seen = LOSSES["logistic"], make_sample(seed, LOSSES["logistic"], n=2000), []
    rule = replace(RULE, second=200, last=((np.inf, 4),), last_of_one=(0, 2), last_worth=0.0)
    work = LargeRefinement(sample, make_objective(loss, price=0.5), SCHEDULE, rule)
    work.take(work.judge(with_weights(make_variables(sample, loss, 2), sample, work.objective)))
    work.on_round = lambda state: bool(seen.append(state)) or len(seen) == 2
    work._descend_on_all_rows(2)
    assert len(seen) == 2
    assert work.state is seen[-1]


@pytest.mark.parametrize("hidden", [True, False])
def test_rounds_that_end_early_in_single_precision_go_on_in_double(seed, hidden, monkeypatch):
    """Where double precision goes on, rounding hid the way down: it is used from there on."""
    loss, seen, stages = LOSSES["squared"], [], []
    sample = make_sample(seed, loss, n=2000)
    work = large(sample, loss)
    work.stirring = replace(work.stirring, harm=np.inf)  # it descends at last
    original = work._descended_in

    class Listener:
        def on_stage(self, stage, n_passes, n_rows):
            stages.append((stage, n_rows))

    def spy(single, *others, **options):
        seen.append(single)
        return original(single, *others, **options)._replace(ended=single or not hidden)

    monkeypatch.setattr(work, "_descended_in", spy)
    with told_to(Listener()):
        work.run(make_variables(sample, loss, 6))
    on_all = "refining on all rows"
    expected = [on_all] if hidden else [on_all, f"{on_all} in double precision"]
    assert stages == [(stage, 2000) for stage in expected]
    if hidden:  # told by the first draw's two rounds, and by the next round anew
        assert seen == [True, False, False, True] + [False] * (len(seen) - 4)
    else:
        assert seen == [True, False] * (len(seen) // 2)
    assert work.single != hidden


class Scripted(LargeRefinement):
    """Stirring and descents whose losses are written down; every network is called by a number."""

    def __init__(self, sample, told, descends_to=9.0, **rule):
        stirring = StirRule(rates=(0.1, 0.4, 1.6), ratio=2.0, steps=10, longest=2, worth=0.1)
        stirring = replace(stirring, passes=0)
        objective = make_objective(LOSSES["logistic"], max_nodes=1)
        stirring = replace(stirring, **rule)
        super().__init__(sample, objective, SCHEDULE, capped(RULE, 1), stirring=stirring)
        self.told, self.done, self.descends_to = told, [], descends_to

    def _as_told(self, loss):
        return Unseen(self.state, self.apart, None, np.full(self.apart.n_rows, loss))

    def after_stirring(self, state, part, stir):
        self.done.append((stir.rate, stir.n_steps))
        return self._as_told(self.told.pop(0))

    def after_descent(self, state, part, iterations):
        self.done.append(iterations)
        return self._as_told(self.descends_to)

    def stirred(self, state, rows, stir, *, pruned=True):
        self.done.append(("all", stir.rate, stir.n_steps, rows.n_rows, pruned))
        return state

    def descended(self, state, rows, iterations, *, pruned=True):
        self.done.append(("all", iterations, rows.n_rows, pruned))
        return Moved(state)

    def start(self, loss=1.0):
        variables = make_variables(self.rows, LOSSES["logistic"], 1)
        self.state = with_weights(variables, self.rows, self.objective)
        self.take(self._as_told(loss))
        return self


@pytest.mark.parametrize(
    ("told", "done", "last", "loss"),
    [  # rates 0.8 and 1.6 are hotter than the first, 0.2 and 0.1 colder
        ([0.8, 0.9, 0.79, 0.8], [(0.4, 10), (0.8, 10), (0.4, 20), (0.2, 20)], (0.4, 20), 0.79),
        ([0.8, 0.7, 0.8, 0.75, 0.69, 0.7], [(0.4, 10), (0.8, 10), (1.6, 10), (0.8, 20), (0.4, 20),
          (0.2, 20)], (0.4, 20), 0.69),
        ([1.1, 1.2, 0.95, 0.94], [(0.4, 10), (0.8, 10), (0.2, 10), (0.1, 10)], (0.1, 10), 0.94),
        ([1.1, 1.05, 1.02, 1.01], [(0.4, 10), (0.8, 10), (1.6, 10), (0.2, 10)], None, 1.0),
        ([1.1, 1.05, 1.06, 0.95, 0.94], [(0.4, 10), (0.8, 10), (1.6, 10), (0.2, 10), (0.1, 10)],
         (0.1, 10), 0.94),
    ],
)  # fmt: skip
def test_stirred_as_hot_and_as_long_as_rows_kept_apart_like(told, done, last, loss):
    work = Scripted(make_sample(0, LOSSES["logistic"], n=500), list(told)).start()
    work._temper(work.rows, grows=False)
    assert work.done == done
    assert (work.stir and work.stir[:2]) == last
    assert work.judged.loss == pytest.approx(loss)


@pytest.mark.parametrize("colder_is_better", [True, False])
def test_nodes_are_added_as_stirring_is_liked_best(colder_is_better, monkeypatch):
    told = [0.8, 0.9, 0.7 if colder_is_better else 0.85, 0.75, 0.6, 0.7, 0.7]
    work, grown = Scripted(make_sample(0, LOSSES["logistic"], n=500), told).start(), []

    def grow(part, stir, worth=None):
        grown.append((stir[:2], worth, len(work.done)))

    monkeypatch.setattr(work, "_grow", grow)
    work._temper(work.rows, grows=True)
    short = [(0.4, 10), (0.8, 10), (0.2, 10)] + ([(0.1, 10)] if colder_is_better else [])
    assert work.done[: len(short)] == short
    n, rate = len(short), 0.2 if colder_is_better else 0.4
    longer = [((0.4, 20), 0.1, n + 1)] * (not colder_is_better) + [
        ((0.2, 20), 0.1, len(work.done) - 1)
    ]
    assert grown == [((rate, 10), None, n), *longer]  # longer at last, and then for more
    assert work.done[n:] == [stir for stir, *_ in longer] + [(0.1, 20)]


@pytest.mark.parametrize(
    ("descends_to", "harm", "stirred", "finish"),
    [
        (1.1, 1.0, True, ("all", 0.4, 10, 500, False)),
        (1.1, 1.0, False, ("all", 80, 500, False)),
        (1.1, np.inf, True, ("all", 80, 500, False)),
        (0.9, 1.0, True, ("all", 160, 500, False)),
        (0.9, 1.0, False, ("all", 160, 500, False)),
    ],
)
def test_no_descent_at_last_where_it_clearly_harmed_what_was_stirred(
    descends_to, harm, stirred, finish
):
    sample = make_sample(0, LOSSES["logistic"], n=500)
    work = Scripted(sample, [], descends_to, harm=harm).start()
    work.stir = work.stirring.first(500) if stirred else None
    work._finish(sample)
    assert work.done == [80, finish]  # half of the last iterations
    assert work.judged.loss == pytest.approx(min(1.0, descends_to))


@pytest.mark.parametrize("loss", [0.9, 1.1])
def test_what_is_stirred_at_last_must_do_better_on_rows_that_it_sees(loss, monkeypatch):
    """A high rate may destroy what rows kept apart have chosen."""
    told, sample = [], make_sample(0, LOSSES["logistic"], n=500)
    work = Scripted(sample, [], 1.1).start()
    work.stir, before = work.stirring.first(500), work.state
    after = replace(before, vector=2.0 * before.vector)
    monkeypatch.setattr(work, "stirred", lambda *args, **options: after)
    monkeypatch.setattr(
        work,
        "judge",
        lambda state: Unseen(state, work.apart, None, np.full(work.apart.n_rows, loss)),
    )
    monkeypatch.setattr(work, "on_round", told.append)
    work._finish(sample)
    assert work.state is (after if loss < 1.0 else before)
    assert told == [after] * (loss < 1.0)


def test_rows_that_one_machine_cannot_hold_are_not_stirred():
    sample = make_sample(0, LOSSES["logistic"], n=500)
    work = Scripted(sample, [], 1.1).start()
    work.stir, work.rule = work.stirring.first(500), replace(RULE, most=499)
    work._finish(sample)
    assert work.done[1][:2] == ("all", 80)


@pytest.mark.parametrize(("descends_to", "grown_by"), [(0.7, "descents"), (0.9, "stirring")])
def test_nodes_are_found_by_stirring_unless_descents_are_clearly_better(descends_to, grown_by):
    sample = make_sample(0, LOSSES["logistic"], n=500)
    work = Scripted(sample, [0.8], descends_to).start()
    second = sample.take(slice(100))
    work._find_nodes(second, sample)
    assert work.done[:2] == [RULE.iterations, (0.4, 10)]
    assert bool(work.done[2:]) == (grown_by == "descents")  # it descends once more
    assert work.stir == (None if grown_by == "descents" else work.stirring.first(500))
    assert work.judged.loss == pytest.approx(min(0.8, descends_to))


def test_a_network_of_one_node_may_get_many_at_once(seed):
    """Twice as many as there are would be one more, which often tells nothing."""
    sample = make_sample(seed, LOSSES["squared"], n=2000)
    work = large(sample, LOSSES["squared"])
    variables = make_variables(sample, LOSSES["squared"], 1)
    work.state = with_weights(variables, sample, work.objective)
    larger = work._larger(sample)
    assert 2 < larger.n_nodes <= 1 + RULE.least_new


def test_nodes_are_looked_for_among_other_rows_every_time(seed):
    sample = make_sample(seed, LOSSES["logistic"], n=1000)
    work = large(sample, LOSSES["logistic"])
    for n_rows in (200, 300, 1000):  # the first of them has no more than are looked at
        part = sample.take(slice(n_rows))
        work.n_looked = 0
        one, other, third = (work._others(part) for _ in range(3))
        assert len(one) == len(set(one)) == 200
        assert one[0] not in (0, other[0])
        if n_rows > 400:
            assert third[0] not in (0, one[0], other[0])
            assert not set(one) & set(range(200))


@pytest.mark.parametrize("at", [1, 2, 3, 5, 8, 13])
def test_an_interrupt_while_a_network_is_stirred_keeps_the_best_one(seed, at, monkeypatch):
    loss, told, done = LOSSES["logistic"], [], []
    sample = make_sample(seed, loss, n=2000)
    work = large(sample, loss, lambda state: bool(told.append(state)))
    original = work.stirred

    def interrupted(*args, **options):
        done.append(1)
        if len(done) == at:
            raise KeyboardInterrupt
        return original(*args, **options)

    monkeypatch.setattr(work, "stirred", interrupted)
    found = work.run(make_variables(sample, loss, 2))
    if len(done) >= at:
        assert found == replace(told[-1], interrupted=True)
    assert len(told) > 1


def test_draws_have_no_more_rows_than_the_largest(seed):
    loss = LOSSES["logistic"]
    sample, seen = make_sample(seed, loss, n=2000), []
    rule = replace(RULE, second=300, most=700)
    work = LargeRefinement(sample, make_objective(loss, price=0.5), SCHEDULE, capped(rule, 30))
    for name in ("stirred", "descended"):
        original = getattr(work, name)

        def spy(state, rows, *args, original=original, **options):
            seen.append(rows.n_rows)
            return original(state, rows, *args, **options)

        setattr(work, name, spy)
    work.run(make_variables(sample, loss, 2))
    assert set(seen) == {200, 300, 700, 2000}


def test_nodes_stay_only_where_rows_kept_apart_clearly_gain(seed, monkeypatch):
    loss = LOSSES["logistic"]
    sample = make_sample(seed, loss, n=2000)
    work = large(sample, loss)
    work.take(work.judge(with_weights(make_variables(sample, loss, 1), sample, work.objective)))
    before = work.judged
    lower = replace(before, losses=before.losses * 0.9)
    noise = np.random.default_rng(seed).standard_normal(before.sample.n_rows)
    noise -= np.average(noise, weights=before.sample.weight) + 0.01
    unclear = replace(before, losses=before.losses + noise)
    assert unclear.loss < before.loss
    for trial, grew in ((unclear, False), (lower, True)):
        monkeypatch.setattr(work, "after_descent", lambda *_, trial=trial: trial)
        assert work._grow(sample) == grew


def test_judged_by_weighted_losses(seed):
    loss = LOSSES["softmax"]
    sample = make_sample(seed, loss)
    variables = make_variables(sample, loss)
    first = with_weights(variables, sample, make_objective(loss))
    one, other = (
        Unseen.apart(loss, replace(first, vector=v), sample)
        for v in (random_point(variables, seed), random_point(variables, seed + 1))
    )
    gain = other.losses - one.losses
    mean = np.average(gain, weights=sample.weight)
    assert_close(other.loss - one.loss, mean)
    error = np.sqrt(np.average((gain - mean) ** 2, weights=sample.weight) / sample.total)
    assert one.is_clearly_better(other, mean / error - 1e-6)
    assert not one.is_clearly_better(other, mean / error + 1e-6)
