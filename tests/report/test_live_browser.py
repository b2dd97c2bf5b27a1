"""Interactive pages in a real browser: what moves, and whether it says what Python says."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from drumlin.estimators.fitted import FittedNetwork
from drumlin.report.figures import hardest_row
from drumlin.report.inputs import column_names
from drumlin.report.live.script import CONFIDENCES
from drumlin.report.live.sizes import sizes_of
from tests.browser import missing
from tests.helpers import assert_close

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(missing() is not None, reason=str(missing())),
]

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}

READ = """() => {
  const all = (place) => [...document.querySelectorAll(place)].map((e) => Number(e.dataset.value));
  const words = (place) => [...document.querySelectorAll(place)].map((e) => e.textContent);
  return {
    answer: all("#live-answer")[0],
    probabilities: all("#live-probabilities .figure"),
    novelty: all("#live-novelty")[0],
    nodes: Object.fromEntries(
      words("#live-nodes th").map((name, i) => [name, all("#live-nodes .figure")[i]])
    ),
    sets: words("#live-set td").length
      ? [...document.querySelectorAll("#live-set td")].map((e) => e.dataset.value) : [],
    intervals: [...document.querySelectorAll("#live-interval td")].map((e) =>
      e.dataset.value === "" ? [] : e.dataset.value.split(" ").map(Number)),
    measures: all("#live-size-measures .figure[data-value]"),
    threshold: ["precision", "recall", "alarms", "misses", "cost"].map((name) =>
      Number(document.getElementById(`live-${name}`)?.dataset.value)),
    cheapest: all("#live-cheapest")[0],
  };
}"""
"""Everything that the page says, with all digits."""


class Driver:
    """A page, what it said and asked for, and the row that it shows."""

    def __init__(self, browser, written):
        self.written, self.judged = written, written.judged
        self.page = browser.new_page()
        self.page.set_viewport_size(DESK)
        self.said, self.asked = [], []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda box: (self.said.append(box.message), box.dismiss()))
        self.page.on("request", lambda message: self.asked.append(message.url))
        self.page.goto(written.path.as_uri())
        first = hardest_row(self.judged)[0]
        X = self.judged.X
        X = X if hasattr(X, "iloc") else pd.DataFrame(X, columns=column_names(X))
        self.row = X.iloc[[first]].astype(object).reset_index(drop=True)
        self.models = sizes_of(self.judged).models

    def read(self):
        return self.page.evaluate(READ)

    def move(self, i, share):
        """Move a slider, or choose from a list, at a share of its length."""
        control = self.written.live.controls[i]
        place = self.row.columns[[str(c) for c in self.row.columns].index(control.name)]
        if control.choices:
            k = round(share * (len(control.choices) - 1))
            self.page.locator(f"#live-choice-{i}").select_option(str(k))
            self.row.at[0, place] = control.choices[k][0]
            return
        steps = round(share * (control.high - control.low) / control.step)
        self.page.locator(f"#live-range-{i}").fill(repr(control.low + steps * control.step))
        self.row.at[0, place] = float(self.page.locator(f"#live-number-{i}").input_value())

    def rows(self):
        """The row as the network wants it."""
        numeric = self.row.infer_objects()
        fitted = self.judged.fitted
        named = hasattr(fitted.whole, "feature_names_in_") or fitted.before is not None
        return fitted.model_rows(numeric if named else numeric.to_numpy(dtype=np.float64))


@pytest.fixture(scope="module")
def driver(live_page, browser):
    made = Driver(browser, live_page)
    yield made
    made.page.close()


def assert_as_python(driver, model):
    """Everything that the page says of the row is what Python says of it."""
    seen, rows = driver.read(), driver.rows()
    network = FittedNetwork.of(model)
    k = 0
    if driver.judged.is_classifier:
        probabilities = model.predict_proba(rows)[0]
        assert_close(seen["probabilities"], probabilities)
        if len(network.outputs) > 1:
            k = int(seen["answer"])
            assert k == driver.judged.decision.answers(probabilities[None])[0]  # of least cost
    else:
        assert_close(seen["answer"], model.predict(rows)[0])
        if model is driver.models[-1]:
            ends = model.predict_interval(rows, list(CONFIDENCES))[0].T
            assert_close(seen["intervals"], ends)
        else:
            assert seen["intervals"] == [[], [], []]  # not known for fewer nodes
    assert_close(seen["novelty"], model.novelty(rows)[0])
    parts = model.contributions(rows)[0, :, k]
    size = np.abs(parts).sum()  # what was added up
    nodes = dict(seen["nodes"])
    assert abs(nodes.pop("score") - parts.sum()) <= 1e-9 * (1.0 + size)
    assert_close(nodes.pop("intercept"), parts[-1])
    others = [name for name in nodes if "other" in name]
    assert_close(sum(nodes.values()), parts[:-1].sum(), 1e-9 * (1.0 + size))
    whole = driver.judged.fitted.network.nodes.centers
    own = {
        tuple(center): part
        for center, part in zip(network.network.nodes.centers, parts[:-1], strict=True)
    }
    for name in set(nodes) - set(others):
        assert_close(nodes[name], own[tuple(whole[int(name.split()[1]) - 1])])


def test_everything_moves_and_says_what_python_says(driver):
    driver.page.locator("#live-reset").click()
    assert_as_python(driver, driver.models[-1])
    answers = [driver.read()["answer"]]
    for i, share in enumerate([0.1, 0.8, 0.45]):
        if i < len(driver.written.live.controls):
            driver.move(i, share)
            assert_as_python(driver, driver.models[-1])
            answers.append(driver.read()["answer"])
    for place in range(len(driver.models)):
        driver.page.locator("#live-size").fill(str(place))
        assert_as_python(driver, driver.models[place])
        entry = driver.written.live.about["sizes"][place]
        seen = driver.read()["measures"]
        expected = [
            kind[name]
            for name in entry["error"]
            for kind in (entry["error"], entry["loo"], driver.judged.baseline)
            if name in kind
        ]
        assert_close(seen, expected)
    assert driver.said == []


def test_sets_are_those_of_python(driver):
    if not driver.written.live.about["limits"]:
        pytest.skip("the model has no prediction sets")
    driver.page.locator("#live-size").fill(str(len(driver.models) - 1))
    for share in (0.2, 0.5, 0.55, 0.6, 0.9):
        driver.move(0, share)
        sets = driver.judged.fitted.model.predict_set(driver.rows(), [0.8, 0.9, 0.95])[0]
        expected = [" ".join(map(str, np.flatnonzero(column))) for column in sets.T]
        assert driver.read()["sets"] == expected


def test_thresholds_and_costs(driver):
    if len(driver.judged.fitted.outputs) > 1 or not driver.judged.is_classifier:
        pytest.skip("thresholds are of two classes")
    page, judged = driver.page, driver.judged
    page.locator("#live-size").fill(str(len(driver.models) - 1))
    page.locator("#live-alarm-cost").fill("2")
    page.locator("#live-miss-cost").fill("7")
    true, costs = judged.codes == 1, []
    for step in range(0, 101):
        said = judged.probabilities[:, 1] >= step / 100
        costs.append((2 * (said & ~true).sum() + 7 * (~said & true).sum()) / len(true))
    for step in (5, 50, 93):
        page.locator("#live-threshold").fill(str(step))
        said = judged.probabilities[:, 1] >= step / 100
        alarms, misses = (said & ~true).sum(), (~said & true).sum()
        expected = [true[said].mean(), said[true].mean(), alarms, misses, costs[step]]
        assert_close(driver.read()["threshold"], expected)
    page.locator("#live-take-cheapest").click()
    assert_close(driver.read()["threshold"][-1], min(costs))
    assert costs[round(100 * driver.read()["cheapest"])] == min(costs)
    page.locator("#live-threshold").fill("0")
    assert driver.read()["answer"] == 1  # everything is announced
    page.locator("#live-threshold").fill("50")


def test_the_plane_is_redrawn(driver):
    page = driver.page
    picture = "document.getElementById('live-canvas').toDataURL()"
    drawn = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    page.locator("#live-reset").click()
    page.evaluate(drawn)
    before = page.evaluate(picture)
    page.locator("#live-size").fill("0")
    page.evaluate(drawn)
    smaller = page.evaluate(picture)
    assert smaller != before
    across, up = (page.locator(f"#live-{name}").input_value() for name in ("across", "up"))
    page.locator("#live-across").select_option(up)
    page.locator("#live-up").select_option(across)
    page.evaluate(drawn)
    assert page.evaluate(picture) != smaller
    box = page.locator("#live-canvas").bounding_box()
    page.locator("#live-canvas").click(position={"x": box["width"] / 4, "y": box["height"] / 4})
    for i, share in ((up, 0.25), (across, 0.75)):
        control = driver.written.live.controls[int(i)]
        span, room = control.high - control.low, 0.05 * (control.high - control.low)
        expected = control.low - room + share * (span + 2 * room)
        value = float(page.locator(f"#live-number-{i}").input_value())
        assert abs(value - expected) <= 0.51 * control.step + 0.01 * span
    page.locator("#live-size").fill(str(len(driver.models) - 1))


def test_it_works_from_the_keyboard_and_speaks(driver):
    from playwright.sync_api import expect

    page = driver.page
    page.locator("#live-reset").click()
    before = driver.read()
    page.locator("#live-reset").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "live-range-0"
    assert page.evaluate("document.activeElement.matches(':focus-visible')")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert driver.read()["nodes"] != before["nodes"]
    spoken = page.locator("#live-spoken")  # after a while; the page allows no script to wait for it
    expect(spoken).not_to_be_empty()
    expect(spoken).to_have_text(page.locator("#live-answer").text_content())


def test_a_missing_number_is_filled_or_has_no_answer(driver):
    page = driver.page
    page.locator("#live-reset").click()
    page.locator(f"#live-number-{driver.written.live.about['plane'][0]}").fill("")
    fills = driver.judged.fitted.before is not None
    assert ("no answer" in page.locator("#live-answer").text_content()) != fills
    page.locator("#live-reset").click()
    assert "no answer" not in page.locator("#live-answer").text_content()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_nothing_sticks_out_asks_or_complains(driver, size):
    page = driver.page
    page.set_viewport_size(size)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert driver.said == []
    asked = [url for url in driver.asked if not url.startswith("data:")]
    assert asked == [driver.written.path.as_uri()]


@pytest.fixture(scope="session")
def axe():
    """Source of axe-core, which knows the rules of accessibility; kept for the next time."""
    folder = Path(tempfile.gettempdir()) / "drumlin-axe-core"
    source = folder / "node_modules" / "axe-core" / "axe.min.js"
    if not source.exists():
        if not shutil.which("npm"):
            pytest.skip("needs npm, which has axe-core")
        folder.mkdir(exist_ok=True)
        command = ["npm", "install", "--prefix", str(folder), "--no-audit", "axe-core@4"]
        made = subprocess.run(command, capture_output=True, timeout=120, check=False)
        if made.returncode:
            pytest.skip(f"npm could not bring axe-core: {made.stderr[-200:]!r}")
    return source.read_text(encoding="utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(driver, axe, scheme):
    page = driver.page
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size(DESK)
    page.evaluate(axe)
    found = page.evaluate("axe.run().then((r) => r.violations)")
    serious = [
        (rule["id"], [node["html"][:120] for node in rule["nodes"]][:3])
        for rule in found
        if rule["impact"] in ("serious", "critical")
    ]
    assert serious == []
