"""Presets: one name of a data set, one setting."""

from __future__ import annotations

import pytest

from drumlin import presets
from drumlin.estimators.presets import _PRESETS
from drumlin.experiments.problems import SETS


@pytest.mark.parametrize("citation", _PRESETS)
def test_special_settings_are_those_of_sets_that_exist(citation):
    """A name that ``drumlin reproduce`` does not know would never be asked for."""
    assert set(_PRESETS[citation][1]) <= set(SETS)


def test_raw_inputs_are_those_of_the_papers_waveforms():
    """ando2004's waveforms are Breiman's three classes; the benchmark's two are another problem."""
    assert not presets("ando2004", dataset="breiman-waveform").standardize
    assert presets("ando2004", dataset="waveform").standardize
