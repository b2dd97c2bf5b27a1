"""What is not novel, input by input, and the points from which answers are looked for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drumlin.basis import Gaussian, InputMap, Nodes, Powers, Standardizer
from drumlin.network import Network
from drumlin.novelty import Novelty
from drumlin.trust import Question, Region, Wanted
from drumlin.trust.counterfactual import counterfactual
from drumlin.trust.polish import Kept, slid
from drumlin.trust.reach import Reach
from drumlin.trust.seeds import seeds_of
from tests.helpers import assert_close


def question_of(seed, d=4, *, mixed=True, bent=False):
    """A network of six nodes, and an input that has not the wanted answer."""
    rng = np.random.default_rng(seed)
    matrix = rng.standard_normal((d, d)) if mixed else None
    powers = Powers(rng.choice([0.0, 0.5, 1.0, 1.8], d), Standardizer.identity(d)) if bent else None
    scaler = Standardizer(rng.standard_normal(d), rng.uniform(0.5, 2.0, d))
    inputs = InputMap(scaler, 3.0, matrix, powers)
    X = rng.standard_normal((200, d))
    nodes = Nodes(inputs(X[:6]), rng.uniform(1.0, 2.0, (6, d)), Gaussian())
    network = Network(nodes, rng.standard_normal((6, 1)), np.zeros(1), inputs)
    novelty = Novelty.of(network, X, np.ones(len(X)))
    region = Region(X.min(axis=0), X.max(axis=0), X.std(axis=0), np.zeros(d, bool), novelty)
    scores = network(X)[:, 0]
    wanted = Wanted.of_range(float(np.quantile(scores, 0.8)), np.inf)
    return Question(network, wanted, region, X[scores.argmin()])


@pytest.mark.parametrize("bent", [True, False])
@pytest.mark.parametrize("mixed", [True, False])
def test_borders_of_sections_are_as_far_as_training_samples_were(mixed, bent, seed):
    question = question_of(seed, mixed=mixed, bent=bent)
    reach, free = question.reach, np.array([0, 2])
    sections = reach.sections(question.x, free, question.region.spread[free])
    angle = np.linspace(0.0, 6.0, 20)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    assert sections
    for section in sections:
        straight = np.tile(reach.straightened(question.x[None]), (len(angle), 1))
        straight[:, free] = section.center + circle @ section.axes
        rows = reach.bent_back(straight)
        node = np.full(len(rows), section.node)
        assert_close(1.0 - reach.rooms(rows, node), np.ones(len(rows)))
        straight[:, free] = section.center + 0.999 * circle @ section.axes
        rows = reach.bent_back(straight)
        assert not question.region.novelty.is_beyond(rows).any()
        assert (reach.most_room(rows) >= reach.rooms(rows, node) - 1e-12).all()  # rounding
    # Reaches that have no section are nowhere near.
    missed = np.setdiff1d(np.arange(reach.n_nodes), [section.node for section in sections])
    rows = np.tile(question.x, (2000, 1))
    rows[:, free] = np.random.default_rng(seed).normal(0.0, 3.0, (2000, 2))
    for node in missed:
        assert (reach.rooms(rows, np.full(2000, node)) < 0.0).all()


@pytest.mark.parametrize("bent", [True, False])
def test_slopes_are_derivatives(bent, seed):
    question = question_of(seed, bent=bent)
    nodes = np.array([3, 1])
    kept = Kept(question, nodes)
    rows = np.stack([question.x, question.x + 0.1])
    h = 1e-6
    for i, slope in enumerate(np.moveaxis(kept.slopes(rows), 2, 0)):
        step = h * np.eye(rows.shape[1])[i]
        found = (kept(rows + step) - kept(rows - step)) / (2.0 * h)
        assert_close(slope, found, 1e-6)  # of finite differences


def test_a_reach_without_an_end_is_as_long_as_its_unit():
    """An input that the nodes do not see."""
    nodes = Nodes(np.zeros((1, 1)), np.ones((1, 1)), Gaussian())
    inputs = InputMap(Standardizer.identity(2), np.inf, np.array([[1.0], [0.0]]))
    network = Network(nodes, np.ones((1, 1)), np.zeros(1), inputs)
    reach = Reach(Novelty.within(network, 2.0))
    (section,) = reach.sections(np.array([1.0, 5.0]), np.array([0, 1]), np.array([1.0, 3.0]))
    assert_close(section.center, [0.0, 5.0])
    assert_close(np.abs(section.axes).sum(axis=0), [2.0, 3.0])


def test_what_answers_lack_is_nothing(seed):
    question = question_of(seed)
    rng = np.random.default_rng(seed)
    rows = rng.uniform(question.region.low, question.region.high, (2000, 4))
    lacking = question.lacking(rows)
    np.testing.assert_array_equal(lacking == 0.0, question.is_answer(rows))


@pytest.mark.parametrize("bent", [True, False])
def test_slid_answers_are_nearer_answers(bent, seed):
    question = question_of(seed, bent=bent)
    free = [np.array([0, 1]), np.array([0, 1, 2, 3])][seed % 2]
    seeds, _ = seeds_of(question, [free], climb=False)
    answers = seeds[question.is_answer(seeds)][:50]
    assert len(answers)
    may = np.tile(np.isin(np.arange(4), free), (len(answers), 1))
    moved = slid(question, answers, may, question.reach.nearest(answers))
    assert question.is_answer(moved).all()
    assert (question.distances(moved) <= question.distances(answers)).all()
    assert np.median(question.distances(moved) / question.distances(answers)) < 0.95
    np.testing.assert_array_equal(moved[~may], answers[~may])


def strip_of_answers(width):
    """A question whose answers are a strip so wide that ends the reach of a second node.

    Both nodes are round. The score grows to the right, and the wanted answer begins just before
    the end of the left node's reach: what is not novel and has the answer there is a thin sickle.
    The reach of the other node, farther away, is full of answers.
    """
    centers = np.array([[0.0, 0.0], [4.5, -1.5]])
    nodes = Nodes(centers, np.ones((2, 2)), Gaussian())
    known = Network(nodes, np.zeros((2, 1)), np.zeros(1), None)
    plane = Nodes(np.array([[50.0, 0.0]]), np.full((1, 2), 40.0), Gaussian())
    network = Network(plane, np.ones((1, 1)), np.zeros(1), None)
    edge = network(np.array([[1.0 - width, 0.0]]))[0, 0]
    low, high = np.array([-6.0, -6.0]), np.array([6.0, 6.0])
    region = Region(low, high, np.ones(2), np.zeros(2, bool), Novelty.within(known, 1.0))
    return Question(network, Wanted.of_range(float(edge), np.inf), region, np.array([0.0, 0.9]))


@pytest.mark.parametrize("width", [1e-2, 1e-4, 1e-5])
def test_thin_strips_of_answers_are_found(width):
    """Non-regression: a lattice does not meet them, and a farther answer was told."""
    question = strip_of_answers(width)
    told = counterfactual(question, np.arange(2), 2)
    assert told.found
    assert question.is_answer(told.x[None])[0]
    # The upper corner of the sickle: where the reach ends, as far to the right as is asked for.
    right = 1.0 - width
    corner = np.array([right, np.sqrt(1.0 - right**2)])
    assert_close(told.distance, np.linalg.norm(corner - question.x), 1e-3)  # the border bends


def test_pairs_of_many_inputs_are_looked_at(seed):
    """Two inputs that together have the answer are found among thirty; none alone has it."""
    rng = np.random.default_rng(seed)
    d, pair = 30, rng.choice(30, 2, replace=False)
    center = np.zeros((1, d))
    center[0, pair] = 2.0
    widths = np.full((1, d), np.inf)
    widths[0, pair] = 0.7
    network = Network(Nodes(center, widths, Gaussian()), np.ones((1, 1)), np.zeros(1), None)
    known = replace(network, nodes=Nodes(np.zeros((1, d)), np.full((1, d), 10.0), Gaussian()))
    box = np.full(d, 3.0)
    region = Region(-box, box, np.ones(d), np.zeros(d, bool), Novelty.within(known, 10.0))
    question = Question(network, Wanted.of_range(0.5, np.inf), region, np.zeros(d))
    told = counterfactual(question, np.arange(d), d)
    np.testing.assert_array_equal(told.changed, np.sort(pair))
