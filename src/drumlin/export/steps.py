"""Steps of a module in a scripting language: which lines there are, in which order.

The lines themselves, with places for numbers, are forms of the language.
"""

from __future__ import annotations

from collections.abc import Mapping

from drumlin.export.computation import GAUSSIAN, Computation
from drumlin.export.text import number


def map_steps(c: Computation, forms: Mapping[str, str]) -> list[str]:
    """From features to the space of the nodes, but for the matrix that mixes them."""
    steps = []
    for i, scaling in enumerate(c.mapping.scalings):
        steps.append(forms["scale"].format(i=i))
        if scaling.limit is not None:
            steps.append(forms["limit"].format(limit=number(scaling.limit)))
        if scaling.power is not None:
            steps.append(forms["power"].format(i=i))
    return steps if c.mapping.inv_clip is None else [*steps, forms["clip"]]


def activation_steps(c: Computation, forms: Mapping[str, str]) -> list[str]:
    """From squared distances to activations, and to their shares where they are normalised."""
    activate = forms["activate"].format(radial=forms[c.nodes.radial])
    if c.nodes.shares is None:
        return [activate]
    # A factor that cancels keeps the nearest node's activation at 1.
    nearest = [forms["nearest"]] if c.nodes.radial == GAUSSIAN else []
    return [forms["cap"], *nearest, activate, forms["share"]]
