"""Names from the data stay data: columns, categories and classes with code of every language.

Models are made by hand, so that any text can be tried; every target must answer as the reference.
"""

from __future__ import annotations

import ast
import re
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drumlin import export
from drumlin.export.python import reference
from tests.export import test_javascript, test_onnx, test_sql
from tests.export.compiling import ask, compilers, library
from tests.export.models import hostile

NASTY = [
    "'; DROP TABLE rows; --", '"', "\\", "\\'", "*/ int main(void) {} /*", "// \\\n", "??/", "%s",
    "</script><script>alert(1)</script>", "${alert(1)}", "`", '"""', "'''", "\n", "\r\n", "\u2028",
    "{0}", "{x}", "#", "a b", "x0", "c0", "score0", "1", "", "é", "名前", "\U0001f600", "\x1b[31m",
    "*/", "/*", "--", ";", "\\n", "\\u0041", "?)", "@@x", "__proto__", "constructor", "P_scores",
    "R", "ROW_", "NULL", "prediction", "scores", "label", "X", "n0",
]  # fmt: skip

texts = st.one_of(
    st.sampled_from(NASTY),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12),
)


def distinct(size):
    return st.lists(texts, min_size=size, max_size=size, unique=True)


computations = st.builds(hostile, distinct(2), distinct(3), distinct(2))


def rows_of(computation):
    """Every category, an unknown and a missing one, with three numbers."""
    known = computation.codings[0].texts
    words = [*known, "not one of them", None]
    return [(x, word) for word in words for x in (0.0, 2.0, np.nan)]


def wanted(computation):
    return [reference(computation)(row) for row in rows_of(computation)]


@given(computations)
def test_python_is_tables_and_functions_only(computation):
    tree = ast.parse(export.to_python(computation))
    allowed = (ast.Expr, ast.ImportFrom, ast.Assign, ast.FunctionDef)
    assert all(isinstance(node, allowed) for node in tree.body)
    assigned = {n.targets[0].id: n.value for n in tree.body if isinstance(n, ast.Assign)}
    assert ast.literal_eval(assigned["COLUMNS"]) == tuple(c.name for c in computation.columns)
    assert ast.literal_eval(assigned["CLASSES"]) == computation.classes
    assert list(ast.literal_eval(assigned["CODES0"])) == list(computation.codings[0].texts)
    answers = wanted(computation)
    assert answers[0]["scores"] != answers[3]["scores"] != answers[6]["scores"]


@pytest.mark.skipif(not compilers(), reason="needs a C compiler")
@settings(max_examples=8)
@given(computations)
def test_c_compiles_and_agrees(computation):
    frame = pd.DataFrame(rows_of(computation), columns=range(2))
    with tempfile.TemporaryDirectory() as folder:
        made = library(export.to_c(computation), Path(folder), compilers()[0])
        answers = ask(made, computation, frame.to_numpy(object), "double")
    assert answers["label"].tolist() == [answer["label"] for answer in wanted(computation)]


@given(computations)
def test_c_has_no_byte_of_the_data_outside_of_literals(computation):
    source = export.to_c(computation)
    plain = export.to_c(hostile(("a", "b"), ("c", "d", "e"), ("f", "g")))
    literals = re.compile(r'"(?:[^"\\\n]|\\.)*"')

    def bones(text):
        text = re.sub(r"[0-9a-f]{16}", "", literals.sub('""', text))
        text = re.sub(r"MODEL_(NUMBER|TEXT)_[A-Z0-9_]+", "", text)
        return " ".join(re.sub(r"Flash: \d+", "", text).split())

    assert bones(source.source) == bones(plain.source)
    assert bones(source.header) == bones(plain.header)


@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
@settings(max_examples=8)
@given(computations)
def test_javascript_agrees_and_can_stand_in_a_page(computation):
    source = export.to_javascript(computation)
    assert "</" not in source and "<!" not in source and source.isascii()
    with tempfile.TemporaryDirectory() as folder:
        answers = test_javascript.ask(source, rows_of(computation), Path(folder))
    assert [a["label"] for a in answers] == [a["label"] for a in wanted(computation)]


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@settings(max_examples=25)
@given(computations)
def test_sql_agrees(dialect, computation):
    names = [column.name for column in computation.columns]
    # Databases do not tell "A" from "a" in names, and have none without a letter.
    if "" in names or names[0].lower() == names[1].lower():
        return
    frame = pd.DataFrame(rows_of(computation), columns=names).astype({names[1]: object})
    query = export.to_sql(computation, dialect=dialect)
    answers = test_sql.DATABASES[dialect](query, frame)
    assert answers.iloc[:, 0].tolist() == [a["label"] for a in wanted(computation)]


@settings(max_examples=25)
@given(computations)
def test_onnx_agrees(computation):
    if "" in computation.codings[0].texts:
        return  # "" is a missing text there
    frame = pd.DataFrame(rows_of(computation))
    made = test_onnx.session(export.to_onnx(computation))
    names = [entry.name for entry in made.get_inputs()]
    words = frame[1].where(frame[1].notna(), "").to_numpy(object)[:, None]
    feeds = {names[0]: frame[0].to_numpy(float)[:, None], names[1]: words}
    labels, scores = made.run(["label", "scores"], feeds)
    answers = wanted(computation)
    assert labels.tolist() == [a["label"] for a in answers]
    np.testing.assert_allclose(scores[:, 0], [a["scores"][0] for a in answers], rtol=1e-12)


@pytest.mark.parametrize("target", ["to_c", "to_sql", "to_onnx"])
def test_what_a_target_cannot_hold_is_refused(target):
    for bad in ("\ud800", "\x00") if target != "to_onnx" else ("\ud800",):
        computation = hostile(("a", "b"), ("c", bad, "e"), ("f", "g"))
        with pytest.raises(export.NotExportable):
            getattr(export, target)(computation)


def test_a_hostile_function_name_is_refused():
    with pytest.raises(ValueError, match="'prefix'"):
        export.to_c(hostile(("a", "b"), ("c", "d", "e"), ("f", "g")), prefix="x; system(0)")
