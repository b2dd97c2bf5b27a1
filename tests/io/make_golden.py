"""Write the golden model files: what a version of the format wrote must load for ever.

Files that exist are not touched. Once a release of drumlin has written a version of the format, its
files stay as they are; before that, obsolete ones may be deleted and made anew:

    python -m tests.io.make_golden

Each ``golden/<name>.drumlin`` has a ``golden/<name>.json`` beside it, with inputs and the answers
that the model gave when it was saved.
"""

from __future__ import annotations

import json
from pathlib import Path

import drumlin
from drumlin.io.files import VERSION
from tests.io.models import MODELS, encoded_table, everything, fit, mixed_table, table_pipeline
from tests.powered import powered_regressor

FOLDER = Path(__file__).parent / "golden"


def _write(name, model, X, inputs):
    name = f"v{VERSION}-{name}"
    if (FOLDER / f"{name}.drumlin").exists():
        return
    drumlin.save(model, FOLDER / f"{name}.drumlin")
    answers = {key: answer.tolist() for key, answer in everything(model, X).items()}
    text = json.dumps({"inputs": inputs, "answers": answers}, indent=1)
    (FOLDER / f"{name}.json").write_text(text + "\n")


def main():
    """Write all files that are not there."""
    FOLDER.mkdir(exist_ok=True)
    for name in ("DrumlinClassifier", "DrumlinRegressor", "parts", "rls"):
        model, X = fit(MODELS[name])
        _write(name, model, X[-15:], X[-15:].tolist())
    # With scores of samples left out and ranges of inputs, which came after the files above.
    for name, cls in (("sets", "DrumlinClassifier"), ("intervals", "DrumlinRegressor")):
        model, X = fit(MODELS[cls])
        _write(name, model, X[-15:], X[-15:].tolist())
    # With powers of inputs, which came after these.
    model, X = powered_regressor()
    _write("powers", model, X[-15:], X[-15:].tolist())
    X, y = mixed_table()
    model, X = table_pipeline().fit(X, y), X[:12]
    _write("table", model, X, json.loads(X.to_json(orient="split", index=False)))
    model, X = encoded_table()
    _write("encoded", model, X[:12], json.loads(X[:12].to_json(orient="split", index=False)))


if __name__ == "__main__":
    main()
