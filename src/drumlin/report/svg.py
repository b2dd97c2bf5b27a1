"""Pictures of matplotlib as markup for a page: named, described, in the page's own colors."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from xml.etree import ElementTree

from drumlin.plotting._style import BLACK, CLASSES, GRAY, LIGHT
from drumlin.report.parts import shown

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"

SCALE = 0.8
"""Pictures are drawn smaller than alone, so that their text can be read on a phone."""

PAGE_COLORS = {
    BLACK: "var(--ink)",
    GRAY: "var(--soft)",
    LIGHT: "var(--line)",
    "#ffffff": "var(--card)",
    **{color: f"var(--c{k})" for k, color in enumerate(CLASSES) if color != BLACK},
}
"""What the page calls the colors of plots: they change with light and dark."""


_COLOR = re.compile(rf"(?:{'|'.join(PAGE_COLORS)})\b")


def svg(figure: Any, name: str, title: str) -> str:
    """Turn a matplotlib figure into markup for a page, and close it.

    Text stays text, so that names in any script are drawn by the reader's fonts; identifiers begin
    with the figure's name, so that several figures can stand in one page.

    Parameters
    ----------
    figure : matplotlib Figure
    name : str
        Letters only; unique in the page.
    title : str
        Read aloud instead of the picture.
    """
    import matplotlib as mpl
    import matplotlib.pyplot as plt
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    figure.set_size_inches(SCALE * figure.get_size_inches())
    buffer = io.BytesIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}), any_script():
        # Not ``savefig``, which draws everything once more to measure it.
        FigureCanvasSVG(figure).print_svg(buffer, metadata={"Date": None, "Creator": None})
    plt.close(figure)
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", XLINK)
    root = ElementTree.fromstring(shown(buffer.getvalue().decode("utf-8")))
    _rename(root, f"{name}-")
    _recolor(root)
    for extra in [*root.iter(f"{{{SVG}}}metadata")]:
        root.remove(extra)
    for length in ("width", "height"):
        root.attrib.pop(length, None)
    root.set("role", "img")
    root.set("aria-labelledby", f"{name}-title")
    heading = ElementTree.Element(f"{{{SVG}}}title", {"id": f"{name}-title"})
    heading.text = shown(title)
    root.insert(0, heading)
    return ElementTree.tostring(root, encoding="unicode")


def _rename(root: ElementTree.Element, prefix: str) -> None:
    """Put a prefix before all identifiers and the references to them."""
    for element in root.iter():
        for key, value in element.attrib.items():
            if key == "id":
                element.set(key, prefix + value)
            elif key in ("href", f"{{{XLINK}}}href") and value.startswith("#"):
                element.set(key, f"#{prefix}{value[1:]}")
            elif "url(#" in value:
                element.set(key, value.replace("url(#", f"url(#{prefix}"))


def _recolor(root: ElementTree.Element) -> None:
    """Let the page choose the colors."""
    for element in root.iter():
        style = element.get("style")
        if style:
            element.set("style", _COLOR.sub(lambda found: PAGE_COLORS[found[0]], style))


@contextmanager
def any_script() -> Iterator[None]:
    """Letters that matplotlib's font lacks are no trouble: the reader's fonts draw them."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield
