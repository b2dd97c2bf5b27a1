from __future__ import annotations

import itertools
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from drumlin.plotting import plot_critical_difference, plot_error_against_size
from drumlin.plotting.comparison import cliques

RANKS = {"a": 1.5, "b": 2.0, "c": 4.0, "d": 2.5}
GROUPS = {"a": "ours", "b": "rival", "c": "rival", "d": "ours"}


@pytest.fixture
def ax():
    return Figure().add_subplot()


@pytest.mark.parametrize(
    "cd, expected",
    [(0.4, []), (0.6, [(0, 1), (1, 2)]), (1.1, [(0, 2)]), (1.6, [(0, 2), (2, 3)]), (9.0, [(0, 3)])],
)
def test_cliques(cd, expected):
    assert cliques(np.array([1.5, 2.0, 2.5, 4.0]), cd) == expected


def test_cliques_are_maximal(seed):
    values = np.sort(np.random.default_rng(seed).uniform(1, 10, size=12))
    found = cliques(values, 2.0)
    joined = {
        (i, j) for first, last in found for i in range(first, last) for j in range(i + 1, last + 1)
    }
    close = {(i, j) for i in range(12) for j in range(i + 1, 12) if values[j] - values[i] < 2.0}
    assert joined == close
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(found))


def test_no_cliques_without_a_critical_difference():
    assert cliques(np.array([1.0, 2.0]), float("nan")) == []


def test_critical_difference_names_every_method(ax):
    assert plot_critical_difference(RANKS, 1.1, groups=GROUPS, ax=ax) is ax
    text = " ".join(label.get_text() for label in ax.texts)
    for name, rank in RANKS.items():
        assert name in text
        assert f"{rank:.2f}" in text
    assert "critical difference 1.10" in text


def test_critical_difference_beyond_the_line_has_no_bar(ax):
    plot_critical_difference(RANKS, 1.1, ax=ax)
    n_lines = len(ax.collections)
    beyond = plot_critical_difference(RANKS, 9.0, ax=Figure().add_subplot())
    # One line less for the legend; both have one bar that joins methods.
    assert len(beyond.collections) == n_lines - 1
    assert "critical difference 9.00, more than all ranks" in {t.get_text() for t in beyond.texts}


def test_names_of_equal_lines_do_not_cover_each_other(ax):
    plot_error_against_size({"a": 3.0}, {"a": 18.0, "b": 19.0, "c": 19.0}, ax=ax)
    figure = ax.figure
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in ax.texts if text.get_text() in ("b", "c")]
    assert not boxes[0].overlaps(boxes[1])


def test_names_of_near_points_do_not_cover_each_other(ax):
    rng = np.random.default_rng(0)
    names = [f"ALongNameOfAClassifier{i}" for i in range(8)]
    sizes = dict(zip(names, rng.uniform(9.0, 14.0, 8), strict=True)) | {"far": 300.0}
    errors = dict(zip(names, rng.uniform(18.0, 19.0, 8), strict=True)) | {"far": 17.0}
    plot_error_against_size(sizes, errors, ax=ax)
    ax.figure.draw_without_rendering()
    boxes = [Text.get_window_extent(text) for text in ax.texts]  # without their leaders
    for one, other in itertools.combinations(boxes, 2):
        assert not one.overlaps(other)


def test_long_names_of_ranks_stay_inside():
    ranks = {"ALongNameOfASparseKernelClassifier": 1.0} | {f"m{i}": i for i in range(2, 9)}
    figure = Figure((9.0, 3.5))
    ax = plot_critical_difference(ranks, 2.0, ax=figure.add_axes((0.0, 0.0, 1.0, 1.0)))
    figure.draw_without_rendering()
    for text in ax.texts:
        box = text.get_window_extent()
        assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1


def test_error_against_size(ax):
    sizes, errors = {"a": 3.0, "b": 200.0}, {"a": 18.0, "b": 19.0, "linear": 20.0}
    plot_error_against_size(sizes, errors, groups=GROUPS, ax=ax)
    assert ax.get_xscale() == "log"
    points = {tuple(line.get_xydata()[0]) for line in ax.lines if line.get_marker() != "None"}
    assert points == {(3.0, 18.0), (200.0, 19.0)}
    assert {label.get_text() for label in ax.texts} == {"a", "b", "linear"}


def test_own_figure():
    import matplotlib.pyplot as plt

    for made in (
        plot_critical_difference(RANKS, 1.0),
        plot_error_against_size({"a": 1.0}, {"a": 2.0}),
    ):
        made.figure.canvas.draw()
        plt.close(made.figure)
