"""Plots are drawn without a screen, and closed."""

from __future__ import annotations

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from sklearn.datasets import load_iris, make_moons

from drumlin import DrumlinClassifier, ForwardRBFClassifier


@pytest.fixture(autouse=True)
def no_screen():
    """Use Agg, and leave neither figures nor settings behind."""
    plt.switch_backend("Agg")
    before = dict(mpl.rcParams)
    yield
    assert dict(mpl.rcParams) == before
    plt.close("all")


@pytest.fixture(scope="session")
def moons():
    return make_moons(120, noise=0.2, random_state=0)


@pytest.fixture(scope="session")
def flagship(moons):
    """The flagship on two inputs, in a space that is bent."""
    return DrumlinClassifier().fit(*moons)


@pytest.fixture(scope="session")
def iris():
    data = load_iris(as_frame=True)
    return data.data, data.target_names[data.target]


@pytest.fixture(scope="session")
def iris_model(iris):
    return DrumlinClassifier().fit(*iris)


@pytest.fixture(scope="session")
def forward(moons):
    return ForwardRBFClassifier(criterion="mutual_information", max_nodes=8).fit(*moons)
