"""The state of a Mersenne Twister from a file: NumPy reads beyond its end where it is wrong."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from drumlin.io.errors import require

_LENGTH = 624


def check_random_state(state: list[Any]) -> None:
    """Refuse a state that no ``RandomState`` can have.

    Parameters
    ----------
    state : list
        Key, position, whether a normal number is kept, and that number: what ``get_state`` gives,
        without the name of the generator.
    """
    require(len(state) == 4, f"a state of random numbers has 4 parts. Got {len(state)}.")
    key, position, has_gauss, gauss = state
    good = isinstance(key, np.ndarray) and key.shape == (_LENGTH,) and key.dtype == np.uint32
    require(good, f"the key of random numbers must be an array of {_LENGTH} numbers of 32 bits.")
    # All numbers would be equal for ever, and whoever waits for another one would wait for ever.
    require(key[0] >> 31 or key[1:].any(), "the key of random numbers is zero.")
    require(
        type(position) is int and 0 <= position <= _LENGTH,
        f"the position of random numbers must be in the range [0, {_LENGTH}].",
    )
    require(type(has_gauss) is int and has_gauss in (0, 1), "a normal number is kept or is not.")
    require(type(gauss) is float and math.isfinite(gauss), "the normal number is not finite.")
