"""The picture of howto/which-estimator.md: ``python docs/_ext/decision.py`` writes it anew.

Text takes the color of the page, so that one picture serves light and dark.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

PICTURE = Path(__file__).parents[1] / "_static" / "decision.svg"

ROW, LEFT, RIGHT = 76, 300, 330


class Fork(NamedTuple):
    """A question, and the estimator for whom the answer is yes."""

    question: str
    answer: str
    why: str


FORKS = (
    Fork("Rows arrive one by one, or the truth drifts?", "RBFNetwork*", "partial_fit, forgetting"),
    Fork("A published method, step by step?", "presets(...)", "hong2008 ... haykin5"),
    Fork(
        "One number (BIC) to choose kernels and all?",
        "SparseKernelLogisticRegression",
        "sparse, Bayesian",
    ),
    Fork(
        "A criterion, radial or stopping rule of your own?",
        "ForwardRBF*",
        "every part exchangeable",
    ),
    Fork("Fewest nodes, and time to search for them?", "TunableRBF*", "nodes anywhere, by a swarm"),
    Fork("A density, or no training at all?", "NadarayaWatson*", "keeps all samples"),
    Fork(
        "A good model, trained already, but too large?",
        "drumlin.compress",
        "imitates an SVC or any other",
    ),
)
LAST = Fork("None of these: nearly always", "DrumlinClassifier, DrumlinRegressor", "nothing to set")


def box(x: int, y: int, width: int, lines: tuple[str, ...], style: str) -> str:
    """Return a rounded box with centered lines, the first of them bold where it is an answer."""
    out = [f'<rect x="{x}" y="{y}" width="{width}" height="52" rx="9" class="{style}"/>']
    first = y + (31 if len(lines) == 1 else 23)
    for i, line in enumerate(lines):
        kind = f"{style}-text" if i == 0 or style == "question" else "small"
        out.append(f'<text x="{x + width // 2}" y="{first + 18 * i}" class="{kind}">{line}</text>')
    return "".join(out)


def arrow(x1: int, y1: int, x2: int, y2: int, label: str) -> str:
    """Return an arrow with a word beside it."""
    line = f'<path d="M{x1} {y1} L{x2} {y2}" class="arrow" marker-end="url(#head)"/>'
    at = (x1 + 14, y1 - 6) if y1 == y2 else (x1 + 16, y1 + 16)
    return f'{line}<text x="{at[0]}" y="{at[1]}" class="word">{label}</text>'


def picture() -> str:
    """Return the whole picture as SVG."""
    middle, answers = 10 + LEFT // 2, 10 + LEFT + 60
    parts = []
    for i, fork in enumerate(FORKS):
        y = 10 + i * ROW
        parts.append(box(10, y, LEFT, _wrapped(fork.question), "question"))
        parts.append(box(answers, y, RIGHT, (fork.answer, fork.why), "answer"))
        parts.append(arrow(10 + LEFT, y + 26, answers - 8, y + 26, "yes"))
        parts.append(arrow(middle, y + 52, middle, y + ROW - 8, "no"))
    y = 10 + len(FORKS) * ROW
    parts.append(box(10, y, LEFT, (LAST.answer, LAST.why), "best"))
    size = f"0 0 {answers + RIGHT + 10} {y + 62}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" {LABEL}>'
    return f"{head}{STYLE}{''.join(parts)}</svg>\n"


def _wrapped(question: str) -> tuple[str, ...]:
    if len(question) <= 36:
        return (question,)
    words = question.split()
    half = next(n for n in range(len(words)) if len(" ".join(words[: n + 1])) > len(question) / 2)
    return " ".join(words[:half]), " ".join(words[half:])


LABEL = 'class="decision" role="img" aria-label="Questions, and the estimator for each answer yes"'
STYLE = """<style>
.decision { max-width: 720px; width: 100%; height: auto; font: 14px system-ui, sans-serif; }
.decision text { fill: currentColor; text-anchor: middle; }
.decision .answer-text, .decision .best-text { font-weight: 700; }
.decision .small { font-size: 12.5px; opacity: .85; }
.decision .word { font-size: 12px; text-anchor: start; opacity: .85; }
.decision rect { stroke: currentColor; stroke-opacity: .45; fill: none; }
.decision .answer { fill: #56b4e9; fill-opacity: .18; }
.decision .best { fill: #009e73; fill-opacity: .28; }
.decision .best { stroke: #009e73; stroke-opacity: 1; stroke-width: 2; }
.decision .arrow { stroke: currentColor; stroke-opacity: .7; fill: none; }
</style><defs>
<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" orient="auto" markerWidth="7"
 markerHeight="7">
<path d="M0 0 L8 4 L0 8 z" fill="currentColor"/></marker></defs>"""


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
