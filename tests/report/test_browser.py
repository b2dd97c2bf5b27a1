"""Reports in a real browser: on a phone, on a desk, and on paper."""

from __future__ import annotations

import re

import pytest

from tests.browser import missing

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(missing() is not None, reason=str(missing())),
]

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def loaded(report, browser):
    """A page, and what it has said and asked for since it was loaded on a phone.

    Loaded once for all tests of a report: to load it takes longer than to ask it something.
    """
    page = browser.new_page()
    page.set_viewport_size(PHONE)
    said, asked = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda message: asked.append(message.url))
    page.goto(report.as_uri())
    yield page, report.as_uri(), said, asked
    page.close()


@pytest.fixture
def opened(loaded):
    """The page as it is on a phone, whatever an earlier test made of it."""
    page, *_ = loaded
    page.set_viewport_size(PHONE)
    page.emulate_media(media="null", color_scheme="null")
    return loaded


def test_it_says_nothing_and_asks_for_nothing(opened):
    _, address, said, asked = opened
    assert said == []
    assert [url for url in asked if not url.startswith("data:")] == [address]


def test_pictures_are_described(opened):
    page, *_ = opened
    pictures = page.locator("svg, img").all()
    assert pictures
    for picture in pictures:
        assert picture.get_attribute("role") == "img"
        name = picture.get_attribute("aria-labelledby")
        assert page.locator(f"[id='{name}']").text_content().strip()
    assert page.get_by_role("img").count() == len(pictures)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_nothing_sticks_out(opened, size):
    page, *_ = opened
    page.set_viewport_size(size)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    boxes = page.evaluate(
        "[...document.querySelectorAll('section, .table, figure, svg, pre, .tiles li')]"
        ".map(e => e.getBoundingClientRect()).map(b => [b.left, b.right])"
    )
    assert all(left >= 0 and right <= size["width"] for left, right in boxes)


def test_text_of_pictures_can_be_read_on_a_phone(opened):
    page, *_ = opened
    sizes = page.evaluate(
        "[...document.querySelectorAll('svg text')].map(t => {"
        "  const m = t.getScreenCTM();"  # how much the picture is scaled, however it is turned
        "  return parseFloat(getComputedStyle(t).fontSize) * Math.hypot(m.a, m.b);"
        "})"
    )
    assert min(sizes) > 7.0  # pixels


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_follow_light_and_dark(opened, scheme):
    page, *_ = opened
    page.emulate_media(color_scheme=scheme)
    colors = page.evaluate(
        "[...document.querySelectorAll('figure')].flatMap(f => {"
        "  const paper = getComputedStyle(f).backgroundColor;"
        "  return [...f.querySelectorAll('svg text')].map(t => [paper, getComputedStyle(t).fill]);"
        "})"
    )
    assert min(contrast(*pair) for pair in colors) > 3.0  # numbers of nodes have their color


def contrast(*colors):
    """Ratio of the luminances of two colors, as the rules of accessibility define it."""

    def luminance(color):
        parts = [int(part) / 255.0 for part in re.findall(r"\d+", color)[:3]]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    low, high = sorted(map(luminance, colors))
    return (high + 0.05) / (low + 0.05)


def test_it_prints(opened):
    page, *_ = opened
    pdf = page.pdf(format="A4")
    assert pdf.startswith(b"%PDF")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.querySelector('.scroll')).overflowX") == (
        "visible"
    )
