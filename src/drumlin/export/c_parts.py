"""Pieces of C in floating point. ``R`` stands for the type, ``P`` for the prefix."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from drumlin._typing import FloatArray
from drumlin.export.computation import (
    B_SPLINE,
    GAP,
    GAUSSIAN,
    INVERSE_MULTIQUADRIC,
    LOOKUP,
    MEMBER,
    MULTIQUADRIC,
    NUMBER,
    TEXT,
    VALUE,
    ZERO,
    Computation,
    Feature,
)
from drumlin.export.tables import check_fits, tables
from drumlin.export.text import c_string, number, single, wrapped


@dataclass(frozen=True)
class Real:
    """A floating type of C, and the numbers that keep it from overflowing."""

    name: str
    size: int
    largest: float
    limit: float
    farthest: float
    floor: float
    suffix: str

    def literal(self, value: float) -> str:
        """A constant of the type."""
        return number(value) if self.size == 8 else single(value)

    def holds(self, value: Any) -> bool:
        """Whether a text, a gap or a number can be given as this type."""
        return not isinstance(value, float) or abs(value) <= self.largest


REALS = {
    "double": Real("double", 8, 1.7976931348623157e308, 1e100, 1e300, -700.0, ""),
    "float": Real("float", 4, 3.4028235e38, 1e15, 1e37, -87.0, "f"),
}


def array(kind: str, name: str, entries: Iterable[str]) -> str:
    """A constant table."""
    listed = list(entries)
    return f"static const {kind} {name}[{len(listed)}] = {{\n{wrapped(listed)}\n}};"


def real_array(real: Real, name: str, values: FloatArray) -> str:
    """A constant table of numbers, row after row."""
    return array(real.name, name, (real.literal(v) for v in np.ravel(values)))


def constants(c: Computation, real: Real, *, novelty: bool) -> list[str]:
    """All constant tables; C has none without entries."""
    c = c if novelty else replace(c, novelty=None)
    check_fits(c, real.name)
    return [real_array(real, t.name, t.values) for t in tables(c) if t.values.size]


# -------------------------------------------------------------------------------------- exponential
def own_exp(real: Real) -> str:
    """``exp`` of numbers from the floor to 0 by powers of two: no library, no tricks with bits."""
    degree = 13 if real.size == 8 else 7
    halvings = 10 if real.size == 8 else 7
    factorials = np.cumprod([1.0, *range(1, degree + 1)])
    terms = array(real.name, "taylor", (real.literal(1.0 / f) for f in factorials[::-1]))
    powers = array(real.name, "halved", (real.literal(2.0 ** -(2**i)) for i in range(halvings)))
    high, low = ("0.693145751953125", "1.42860682030941723212e-6")
    return f"""{terms}
{powers}

/* Relative error at most {"1e-15" if real.size == 8 else "5e-7"}. */
static R exp_(R x)
{{
    int n = (int)(x * -{real.literal(1.4426950408889634)} + {real.literal(0.5)}), i;
    R r = (x + (R)n * {high}{real.suffix}) + (R)n * {low}{real.suffix}, y = taylor[0];
    for (i = 1; i <= {degree}; i++) y = y * r + taylor[i];
    for (i = 0; i < {halvings}; i++, n >>= 1) if (n & 1) y *= halved[i];
    return y;
}}"""


# ----------------------------------------------------------------------------------------- features
def features(c: Computation, real: Real) -> str:
    """From raw columns to features; returns -1 where one is missing."""
    lines = [*_helpers(c, real), "static int features_(ROW_, R *x)", "{"]
    if is_plain(c):
        lines += [
            "    int i;",
            f"    for (i = 0; i < {len(c.features)}; i++) {{",
            "        if (numbers[i] != numbers[i]) return -1;",
            "        x[i] = number_(numbers[i]);",
            "    }",
        ]
    else:
        lines += _unrolled(c, real)
    return "\n".join([*lines, "    return 0;", "}"])


def is_plain(c: Computation) -> bool:
    """Whether features are the columns, without gaps."""
    return all(
        f.kind == VALUE and f.fill is None and f.column == i for i, f in enumerate(c.features)
    ) and len(c.features) == len(c.columns)


def _helpers(c: Computation, real: Real) -> list[str]:
    largest = real.literal(real.largest)
    lines = []
    if any(f.kind == VALUE for f in c.features):
        lines += [
            "static R number_(R v)",
            f"{{ return v > {largest} ? {largest} : v < -{largest} ? -{largest} : v; }}",
            "",
        ]
    looked_up = {i: np.array(f.values) for i, f in enumerate(c.features) if f.kind == LOOKUP}
    made = [real_array(real, f"numbers{i}", values) for i, values in looked_up.items()]
    return [*lines, *coding_tables(c), *made]


def coding_tables(c: Computation) -> list[str]:
    """Categories of the texts, and the function that looks them up."""
    if not c.codings:
        return []
    lines = [
        "static int code_(const char *text, const char *const *known, const short *codes,",
        "                 int n, int missing, int unknown)",
        "{",
        "    int i, j;",
        "    if (!text) return missing;",
        "    for (i = 0; i < n; i++) {",
        "        for (j = 0; known[i][j] && known[i][j] == text[j]; j++) { }",
        "        if (known[i][j] == text[j]) return codes[i];",
        "    }",
        "    return unknown;",
        "}",
        "",
    ]
    for i, coding in enumerate(c.codings):
        texts = coding.texts or ("",)
        codes = coding.codes or (coding.unknown,)
        entries = wrapped(c_string(text) for text in texts)
        lines += [
            f"static const char *const texts{i}[{len(texts)}] = {{\n{entries}\n}};",
            array("short", f"codes{i}", map(str, codes)),
        ]
    return lines


def places(c: Computation) -> dict[int, str]:
    """Where a raw column is found."""
    kinds: dict[str, int] = {NUMBER: 0, TEXT: 0}
    found = {}
    for i, column in enumerate(c.columns):
        found[i] = f"{'numbers' if column.kind == NUMBER else 'texts'}[{kinds[column.kind]}]"
        kinds[column.kind] += 1
    return found


def codes(c: Computation) -> list[str]:
    """Statements that find the codes c0, c1, ... of the texts of a row."""
    place = places(c)
    lines = [f"    int {', '.join(f'c{i}' for i in range(len(c.codings)))};"] if c.codings else []
    lines += _unused(c)
    for i, coding in enumerate(c.codings):
        lines.append(
            f"    c{i} = code_({place[coding.column]}, texts{i}, codes{i}, {len(coding.texts)}, "
            f"{coding.missing}, {coding.unknown});"
        )
    return lines


def _unused(c: Computation) -> list[str]:
    """Statements for arguments of a row that no feature is made of."""
    kinds = {c.columns[feature.column].kind for feature in c.features if feature.kind != ZERO}
    given = {column.kind for column in c.columns}
    looked_up = {TEXT} if c.codings else set()
    names = {NUMBER: "numbers", TEXT: "texts"}
    return [f"    (void){names[kind]};" for kind in sorted(given - kinds - looked_up)]


def _unrolled(c: Computation, real: Real) -> list[str]:
    place, lines = places(c), codes(c)
    for i, feature in enumerate(c.features):
        if feature.kind == LOOKUP:
            lines.append(f"    x[{i}] = numbers{i}[c{feature.coding}];")
        else:
            lines += _feature(feature, place[feature.column], f"x[{i}]", real)
    return lines


def _feature(feature: Feature, value: str, out: str, real: Real) -> list[str]:
    if feature.kind == VALUE and feature.fill is None:
        return [f"    if ({value} != {value}) return -1;", f"    {out} = number_({value});"]
    if feature.kind == VALUE:
        assert feature.fill is not None
        fill = real.literal(feature.fill)
        return [f"    {out} = {value} != {value} ? {fill} : number_({value});"]
    if feature.kind == GAP:
        return [f"    {out} = (R)({value} != {value});"]
    if feature.kind == MEMBER:
        return [f"    {out} = (R)(c{feature.coding} == {feature.code});"]
    return [f"    {out} = {real.literal(0.0)};"]


# ------------------------------------------------------------------------------------------ mapping
def mapping(c: Computation, real: Real, *, unclipped: bool) -> str:
    """From features to the space of the nodes; ``unclipped`` adds a switch for novelty."""
    d, k = len(c.features), c.n_mapped
    has_switch = unclipped and c.mapping.inv_clip is not None
    inner = []
    for i, scaling in enumerate(c.mapping.scalings):
        inner.append(f"t = (t - shift{i}[i]) / scale{i}[i];")
        if scaling.limit is not None:
            limit = real.literal(real.limit)
            inner.append(f"t = t > {limit} ? {limit} : t < -{limit} ? -{limit} : t;")
        if scaling.power is not None:
            is_bent = "" if scaling.bent.all() else f"if (power{i}[i] != {real.literal(1.0)}) "
            inner.append(f"{is_bent}t = bend_(t, power{i}[i]);")
    if c.mapping.inv_clip is not None:
        one = real.literal(1.0)
        clip = f"t = t / SQRT_({one} + (t * inv_clip[i]) * (t * inv_clip[i]));"
        inner.append(f"if (clip) {clip}" if has_switch else clip)
    lines = [f"static void map_(R *x, R *z{', int clip' if has_switch else ''})", "{"]
    lines += ["    int i, k;" if c.mapping.matrix is not None else "    int i;"]
    lines += [f"    for (i = 0; i < {d}; i++) {{", "        R t = x[i];"]
    lines += [f"        {line}" for line in inner]
    if c.mapping.matrix is None:
        return "\n".join([*lines, "        z[i] = t;", "    }", "}"])
    return "\n".join(
        [
            *lines,
            "        x[i] = t;",
            "    }",
            f"    for (k = 0; k < {k}; k++) {{",
            f"        R sum = {real.literal(0.0)};",
            f"        for (i = 0; i < {d}; i++) sum += x[i] * matrix[k * {d} + i];",
            "        z[k] = sum;",
            "    }",
            "}",
        ]
    )


def bend(name: str, kind: str, real: Real, *, inline: bool = False) -> str:
    """Function of a name, in a type: Yeo and Johnson's power of a scaled input."""
    zero, two, f = real.literal(0.0), real.literal(2.0), real.suffix
    return f"""/* A power that draws in one tail (Yeo and Johnson). */
static {"inline " if inline else ""}{kind} {name}({kind} t, {kind} power)
{{
    {kind} size = log1p{f}(t < {zero} ? -t : t), exponent = {two} - power;
    if (!(t < {zero})) exponent = power;
    if (exponent > {zero}) size = expm1{f}(exponent * size) / exponent;
    return t < {zero} ? -size : size;
}}"""


def distance(c: Computation, real: Real) -> str:
    """Squared distance to a node, in its widths."""
    return f"""static R distance_(const R *z, const R *center, const R *inv_width)
{{
    R sum = {real.literal(0.0)};
    int k;
    for (k = 0; k < {c.n_mapped}; k++) {{
        R d = (z[k] - center[k]) * inv_width[k];
        sum += d * d;
    }}
    return sum;
}}"""


def radial(c: Computation, real: Real) -> str:
    """Activation of a node."""
    one, floor = real.literal(1.0), real.literal(real.floor)
    half, far, zero = real.literal(-0.5), real.literal(real.farthest), real.literal(0.0)
    body = {
        GAUSSIAN: f"r2 *= {half}; return EXP_(r2 < {floor} ? {floor} : r2);",
        MULTIQUADRIC: f"return SQRT_({one} + (r2 > {far} ? {far} : r2));",
        INVERSE_MULTIQUADRIC: f"return {one} / SQRT_({one} + r2);",
        B_SPLINE: (
            f"R q = SQRT_(r2 / {real.literal(3.0)}), u = {real.literal(2.0)} - q, v = {one} - q; "
            f"return (q < {real.literal(2.0)} ? {real.literal(0.25)} * u * u * u : {zero})"
            f" - (q < {one} ? v * v * v : {zero});"
        ),
    }[c.nodes.radial]
    return f"static R radial_(R r2)\n{{ {body} }}"


def novelty(c: Computation, real: Real) -> str:
    """Part of the training rows that are nearer to a node."""
    assert c.novelty is not None
    n, m, k = len(c.novelty.quantiles), len(c.novelty.nodes), c.n_mapped
    unclip = ", 0" if c.mapping.inv_clip is not None else ""
    zero, one = real.literal(0.0), real.literal(1.0)
    return f"""int P_novelty(ROW_, R *novelty)
{{
    R x[{len(c.features)}], z[{k}], nearest = {zero};
    int i, j;
    if (features_(PASS_, x) < 0) return -1;
    map_(x, z{unclip});
    for (j = 0; j < {m}; j++) {{
        R r2 = distance_(z, place_centers + j * {k}, place_inv_widths + j * {k});
        if (j == 0 || r2 < nearest) nearest = r2;
    }}
    nearest = SQRT_(nearest);
    for (i = 0; i < {n} && seen[i] < nearest; i++) {{ }}
    if (i == {n}) *novelty = {one};
    else if (i == 0 || seen[i] <= nearest) *novelty = (R)i / {real.literal(n - 1)};
    else *novelty = ((R)(i - 1) + (nearest - seen[i - 1]) / (seen[i] - seen[i - 1]))
                    / {real.literal(n - 1)};
    return 0;
}}"""
