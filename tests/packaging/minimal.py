"""What works without any extra, and what the rest says: a program of its own.

``python -P tests/packaging/minimal.py`` runs it where drumlin is installed without extras (nox
session ``package``); with the word ``block`` it makes the extras' packages unfindable first
(``test_minimal.py``).
"""

import importlib.util
import sys
import tempfile
from importlib import import_module
from pathlib import Path

OPTIONAL = (
    "dask", "distributed", "jinja2", "matplotlib", "onnx", "pandas", "pyarrow", "rich", "typer",
)  # fmt: skip


class Blocked:
    """Finds none of the optional packages."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in OPTIONAL:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def refused(call):
    """Return what an ImportError says."""
    try:
        call()
    except ImportError as error:
        return str(error)
    raise AssertionError("nothing was refused")


def check_estimators(drumlin, X, y):
    """Fit, save, load and export a model of every kind that needs no extra."""
    for name in drumlin.estimators.__all__:
        model = getattr(drumlin, name)()
        assert model.fit(X, y if hasattr(model, "predict_proba") else X[:, 0]).predict(X).shape
    model = drumlin.DrumlinClassifier().fit(X, y)
    with tempfile.TemporaryDirectory() as folder:
        drumlin.save(model, Path(folder) / "model.drumlin")
        again = drumlin.load(Path(folder) / "model.drumlin")
    assert (again.predict_proba(X) == model.predict_proba(X)).all()
    texts = [getattr(drumlin.export, f"to_{to}")(model) for to in ("c", "javascript", "python")]
    assert all(texts) and drumlin.export.to_sql(model, table="rows")
    return model


def check_sentences(drumlin, model, X, y):
    """Every extra that is missing is one sentence with its command."""
    for room in ("deploy", "evaluation", "io", "report", "tables"):
        import_module(f"drumlin.{room}")  # they can be looked at
    reading = "Reading tables needs pandas: pip install 'drumlin[tables]'."
    assert refused(lambda: drumlin.deploy.train("rows.csv", "y")) == reading
    assert refused(lambda: drumlin.TableEncoder().fit(X, y)) == reading
    reporting = refused(lambda: drumlin.report.write_report(model, X, y, "report.html"))
    assert reporting == "Drawing needs matplotlib: pip install 'drumlin[plot]'.", reporting
    display = drumlin.plotting.BoundaryDisplay
    drawing = refused(lambda: display.from_estimator(model, X, y))
    assert drawing == "Drawing needs matplotlib: pip install 'drumlin[plot]'.", drawing
    exporting = refused(lambda: drumlin.export.to_onnx(model))
    assert exporting == "Export to ONNX needs onnx: pip install 'drumlin[onnx]'."
    try:
        import_module("drumlin.__main__").main()
    except SystemExit as end:
        assert end.code == (
            "Error: The command drumlin needs typer: pip install 'drumlin[cli]'."
        ), end.code
    else:
        raise AssertionError("the command ran")


def main():
    """Check all of it, and say so."""
    if "block" in sys.argv[1:]:
        sys.meta_path.insert(0, Blocked())
    else:
        found = [name for name in OPTIONAL if importlib.util.find_spec(name)]
        assert not found, f"not a minimal environment: {found}"
    from sklearn.datasets import make_moons

    import drumlin

    X, y = make_moons(60, noise=0.2, random_state=0)
    check_sentences(drumlin, check_estimators(drumlin, X, y), X, y)
    print(f"drumlin {drumlin.__version__} works without extras")


if __name__ == "__main__":
    main()
