"""Compile generated C and ask it about many rows."""

from __future__ import annotations

import ctypes
import shutil
import subprocess

import numpy as np
import pandas as pd

from drumlin.export.computation import NUMBER
from drumlin.export.quantizing import quantize

STRICT = [
    "-std=c99",
    "-pedantic",
    "-Wall",
    "-Wextra",
    "-Wconversion",
    "-Wdouble-promotion",
    "-Werror",
]


def compilers():
    return [name for name in ("gcc", "clang") if shutil.which(name)]


def run(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:3000]
    return done.stdout


def library(source, folder, compiler="gcc", *flags):
    """The functions of a generated source."""
    _, path = source.write(folder)
    made = folder / f"{source.prefix}-{compiler}.so"
    run(compiler, *STRICT, "-O2", "-shared", "-fPIC", *flags, path, "-o", made, "-lm")
    return ctypes.CDLL(str(made))


def _inputs(computation, rows, number):
    frame = rows if isinstance(rows, pd.DataFrame) else pd.DataFrame(rows)
    by_name = [c.name for c in computation.columns] if isinstance(rows, pd.DataFrame) else None
    frame = frame[by_name] if by_name else frame
    kinds = [column.kind for column in computation.columns]
    numbers = frame.iloc[:, [i for i, kind in enumerate(kinds) if kind == NUMBER]]
    texts = frame.iloc[:, [i for i, kind in enumerate(kinds) if kind != NUMBER]]
    values = np.asarray(numbers, dtype=np.float64)
    if number == "q15":
        fixed = quantize(computation)
        place = {f.column: i for i, f in enumerate(computation.features) if f.kind == "value"}
        columns = [i for i, kind in enumerate(kinds) if kind == NUMBER]
        result = np.zeros(values.shape, dtype=np.int16)
        for j, column in enumerate(columns):
            if column in place:
                gaps = np.isnan(values[:, j])
                q = fixed.quantized(place[column], np.where(gaps, 0.0, values[:, j]))
                result[:, j] = np.where(gaps, -32768, q)
        return result, texts
    with np.errstate(over="ignore"):
        return values.astype(np.float64 if number == "double" else np.float32), texts


def ask(library, computation, rows, number, *, probabilities=True, novelty=False, prefix="model"):
    """Answers of compiled C to all rows."""
    values, texts = _inputs(computation, rows, number)
    values = np.ascontiguousarray(values)
    real = {"double": np.float64, "float": np.float32, "q15": np.int32}[number]
    n, classes = computation.n_outputs, len(computation.classes)
    scores = np.zeros((len(values), n), dtype=real)
    given = np.uint16 if number == "q15" else real
    shares, novel = np.zeros((len(values), classes), dtype=given), np.zeros(len(values), dtype=real)
    labels, codes = [], []
    strings = [
        [None if pd.isna(t) else str(t).encode() for t in row] for row in texts.to_numpy(object)
    ]
    address = lambda array, i: array[i : i + 1].ctypes.data_as(ctypes.c_void_p)  # noqa: E731
    for i in range(len(values)):
        row = [address(values, i)] if values.shape[1] else []
        if texts.shape[1]:
            row.append((ctypes.c_char_p * texts.shape[1])(*strings[i]))
        codes.append(getattr(library, f"{prefix}_scores")(*row, address(scores, i)))
        if classes and probabilities:
            ask_it = getattr(library, f"{prefix}_probabilities")
            labels.append(ask_it(*row, address(shares, i)))
        elif classes:
            labels.append(getattr(library, f"{prefix}_classify")(*row))
        if novelty:
            getattr(library, f"{prefix}_novelty")(*row, address(novel, i))
    answers = {"scores": scores, "code": codes, "index": np.array(labels)}
    if classes:
        answers["label"] = np.array([*computation.classes, None], dtype=object)[labels]
        answers["probabilities"] = shares
    if novelty:
        answers["novelty"] = novel
    return answers
