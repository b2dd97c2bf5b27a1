"""Power maps of skewed inputs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import yeojohnson

from drumlin.basis import InputMap, Powers, Standardizer
from drumlin.basis.powers import yeo_johnson
from tests.helpers import EXACT, assert_close

POWERS = [0.0, 0.25, 1.0, 1.5, 2.0]


@pytest.mark.parametrize("power", POWERS)
def test_the_map_is_that_of_yeo_and_johnson(seed, power):
    t = np.random.default_rng(seed).standard_normal(50) * 3.0
    assert_close(yeo_johnson(t[:, None], power)[:, 0], yeojohnson(t, power), EXACT)


def test_every_input_has_its_own_power_and_one_is_left_as_it_is(seed):
    T = np.random.default_rng(seed).standard_normal((30, len(POWERS)))
    powers = Powers(np.array(POWERS), Standardizer.identity(len(POWERS)))
    mapped = powers(T)
    assert mapped[:, 2].tolist() == T[:, 2].tolist()
    for i, power in enumerate(POWERS):
        alone = Powers(np.array([power]), Standardizer.identity(1))
        assert_close(mapped[:, i : i + 1], alone(T[:, i : i + 1]), EXACT)
    assert powers.bent.tolist() == [True, True, False, True, True]


@pytest.mark.parametrize("power", POWERS)
@pytest.mark.parametrize("far", [1e-300, 1.0, 1e6, 1e45, -1e-300, -1e6, -1e45])
def test_inputs_of_any_size_keep_their_order_and_come_back(power, far):
    powers = Powers(np.array([power]), Standardizer.identity(1))
    inputs = InputMap(Standardizer.identity(1), clip=np.inf, powers=powers)
    Z = inputs(np.array([[-1e308], [-2.0], [0.0], [2.0], [1e308], [far]]))
    assert np.isfinite(Z).all()
    assert (np.diff(Z[:5, 0]) > 0.0).all()
    back = inputs.inverse(Z[5:]).item()
    assert back == pytest.approx(far, rel=1e-9)
