"""Costs that the head of a C file states: compared with what compilers make and count."""

from __future__ import annotations

import re
import shutil

import pytest

from drumlin import export
from drumlin.export.sizes import operations, stack_bytes
from tests.export.compiling import compilers, run
from tests.export.models import model_named

MODELS = [
    "command line",
    "DrumlinRegressor",
    "ForwardRBFClassifier",
    "TunableRBFClassifier",
    "gently bent",
]
needs_binutils = pytest.mark.skipif(
    not (compilers() and shutil.which("nm")), reason="needs a C compiler and nm"
)

COUNTED = """#include <math.h>
#include <cstdio>
static long counts[6];
struct Counted {
    double v;
    Counted(double v = 0.0) : v(v) {}
    Counted operator-() const { return Counted(-v); }
    Counted &operator*=(Counted o) { counts[1]++; v *= o.v; return *this; }
    Counted &operator/=(Counted o) { counts[2]++; v /= o.v; return *this; }
    Counted &operator+=(Counted o) { counts[0]++; v += o.v; return *this; }
    Counted &operator-=(Counted o) { counts[0]++; v -= o.v; return *this; }
};
static Counted operator+(Counted a, Counted b) { counts[0]++; return Counted(a.v + b.v); }
static Counted operator-(Counted a, Counted b) { counts[0]++; return Counted(a.v - b.v); }
static Counted operator*(Counted a, Counted b) { counts[1]++; return Counted(a.v * b.v); }
static Counted operator/(Counted a, Counted b) { counts[2]++; return Counted(a.v / b.v); }
static bool operator<(Counted a, Counted b) { return a.v < b.v; }
static bool operator>(Counted a, Counted b) { return a.v > b.v; }
static bool operator!=(Counted a, Counted b) { return a.v != b.v; }
static Counted sqrt(Counted a) { counts[3]++; return Counted(sqrt(a.v)); }
static Counted exp(Counted a) { counts[4]++; return Counted(exp(a.v)); }
static Counted expm1(Counted a) { counts[4]++; return Counted(expm1(a.v)); }
static Counted log1p(Counted a) { counts[5]++; return Counted(log1p(a.v)); }
#define double Counted
#define MODEL_NO_SELFTEST
#include "model.c"
int main()
{
    double numbers[64], answers[64];
    const char *texts[64];
    for (int i = 0; i < 64; i++) { numbers[i] = 0.5 * i; texts[i] = "?"; }
    CALL
    for (int i = 0; i < 6; i++) std::printf("%ld ", counts[i]);
    return 0;
}
"""

COUNTS = [
    "additions",
    "multiplications",
    "divisions",
    "square roots",
    "exponentials",
    "logarithms",
]
ROW = ["numbers", "texts"]
INTEGERS = """#include <stdint.h>
#include <cstdio>
static long counts[2];
struct N {
    long long v;
    N(long long v = 0) : v(v) {}
    operator long long() const { return v; }
    N operator-() const { return N(-v); }
};
#define OPERATOR(op, note) \\
    static N operator op(N a, N b) { note; return N(a.v op b.v); } \\
    template <class T> N operator op(N a, T b) { note; return N(a.v op (long long)b); } \\
    template <class T> N operator op(T a, N b) { note; return N((long long)a op b.v); } \\
    template <class T> N &operator op##=(N &a, T b) { note; a = N(a.v op (long long)b); return a; }
OPERATOR(+, ) OPERATOR(-, ) OPERATOR(*, counts[0]++) OPERATOR(/, counts[1]++)
OPERATOR(>>, ) OPERATOR(<<, ) OPERATOR(&, )
#define int32_t N
#define uint32_t N
#undef UINT32_C
#define UINT32_C(x) N(x##ll)
#define MODEL_NO_SELFTEST
#include "model.c"
int main()
{
    int16_t numbers[64];
    const char *texts[64];
    for (int i = 0; i < 64; i++) { numbers[i] = 0; texts[i] = "?"; }
    CALL
    std::printf("%ld %ld", counts[0], counts[1]);
    return 0;
}
"""


def stated(source, pattern):
    return int(re.search(pattern, source.header)[1])


@needs_binutils
@pytest.mark.parametrize("number", ["double", "float", "q15"])
@pytest.mark.parametrize("name", MODELS)
def test_bytes_of_tables_are_those_of_the_object(name, number, tmp_path):
    source = export.to_c(model_named(name)[0], number=number)
    _, path = source.write(tmp_path)
    made = tmp_path / "model.o"
    flags = ["-std=c99", "-O0", "-fno-pic", "-DMODEL_NO_SELFTEST", "-fno-merge-constants"]
    run(compilers()[0], *flags, "-c", path, "-o", made)
    kinds = [line.split() for line in run("nm", "-S", made).splitlines()]
    tables = [entry for entry in kinds if len(entry) == 4 and entry[2] in "rRdD"]
    pointers = sum(int(e[1], 16) for e in tables if re.fullmatch(r"texts\d+|model_labels", e[3]))
    total = sum(int(entry[1], 16) for entry in tables)
    code = source.source.split("#ifndef MODEL_NO_SELFTEST")[0].replace('"model.h"', "")
    texts = re.findall(r'"([^"\n]*)"', code)
    letters = sum(len(re.sub(r"\\[0-7]{3}", "?", text)) + 1 for text in texts)
    # Pointers are of 8 bytes here and are stated as those of a microcontroller, of 4.
    wanted = total - pointers // 2 + letters
    assert stated(source, r"Flash: (\d+) bytes of tables") == wanted


@pytest.mark.skipif(not shutil.which("arm-none-eabi-gcc"), reason="needs the ARM compiler")
@pytest.mark.parametrize("number", ["double", "float", "q15"])
@pytest.mark.parametrize("name", MODELS)
def test_stack_is_not_more_than_stated(name, number, tmp_path):
    model, _ = model_named(name)
    source = export.to_c(model, number=number)
    _, path = source.write(tmp_path)
    run("arm-none-eabi-gcc", "-std=c99", "-Os", "-mthumb", "-mcpu=cortex-m0", "-fstack-usage",
        "-DMODEL_NO_SELFTEST", "-c", path, "-o", tmp_path / "model.o")  # fmt: skip
    lines = [line.split() for line in (tmp_path / "model.su").read_text().splitlines()]
    frames = {line[0].split(":")[-1]: int(line[1]) for line in lines}
    outer = max(frames.get(f"model_{name}", 0) for name in ("classify", "probabilities"))
    inner = max([v for key, v in frames.items() if key.endswith("_")] or [0])
    used = outer + frames["model_scores"] + inner
    limit = stack_bytes(export.describe(model), number)
    assert stated(source, r"Stack: at most about (\d+) bytes") == limit
    assert used <= limit <= used + 128


@pytest.mark.skipif(not shutil.which("g++"), reason="needs a C++ compiler")
@pytest.mark.parametrize(
    "name", [*MODELS, "normalized", "multiquadric", "NadarayaWatsonClassifier", "pipeline"]
)
def test_operations_are_counted(name, tmp_path):
    model, _ = model_named(name)
    c = export.describe(model)
    export.to_c(model).write(tmp_path)
    kinds = {column.kind for column in c.columns}
    row = [word for word, kind in (("numbers", "number"), ("texts", "text")) if kind in kinds]
    called = "probabilities" if c.classes else "scores"
    call = f"model_{called}({', '.join(row)}, answers);"
    (tmp_path / "main.cpp").write_text(COUNTED.replace("CALL", call))
    run("g++", "-std=c++11", "-w", tmp_path / "main.cpp", "-o", tmp_path / "main")
    counted = [int(word) for word in run(tmp_path / "main").split()]
    stated = {"logarithms": 0} | operations(c, "double", probabilities=True)
    assert counted == [stated[name] for name in COUNTS]


@pytest.mark.skipif(not shutil.which("g++"), reason="needs a C++ compiler")
@pytest.mark.parametrize("name", [*MODELS, "hong2008", "pipeline"])
def test_integer_operations_are_counted(name, tmp_path):
    model, _ = model_named(name)
    c = export.describe(model)
    export.to_c(model, number="q15").write(tmp_path)
    row = ["numbers"] if all(column.kind == "number" for column in c.columns) else ROW
    called, kind = ("probabilities", "uint16_t") if c.classes else ("scores", "int32_t")
    call = f"{kind} answers[64]; model_{called}({', '.join(row)}, answers);"
    (tmp_path / "main.cpp").write_text(INTEGERS.replace("CALL", call))
    run("g++", "-std=c++11", "-w", tmp_path / "main.cpp", "-o", tmp_path / "main")
    counts = operations(c, "q15", probabilities=True)
    assert [int(word) for word in run(tmp_path / "main").split()] == [
        counts["multiplications"], counts["divisions"],
    ]  # fmt: skip
