"""Pieces of C in fixed point: integers only, an exponential by table, saturation."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from drumlin.export import c_parts
from drumlin.export.c_parts import REALS, array, codes, coding_tables, is_plain, places
from drumlin.export.c_scores import classify, selftest_calls
from drumlin.export.computation import GAP, LOOKUP, MEMBER, NUMBER, SCORES, VALUE, Computation
from drumlin.export.quantizing import ONE, Q12, Bend, Fixed, quantize
from drumlin.export.text import identifiers, number
from drumlin.export.vectors import vectors

STEPS = 32
"""Pieces of the table of powers of two."""


def header(c: Computation) -> str:
    """Macros that turn raw numbers into inputs and scores into numbers."""
    fixed = quantize(c)
    names = [column.name for column in c.columns if column.kind == NUMBER]
    words = dict(zip(_numbers(c), identifiers(names), strict=True))
    lines = [
        f"#define P_SCORE_UNIT {number(fixed.unit)}",
        "#define P_MISSING (-32767 - 1)",
        "/* NaN is missing; the argument is evaluated several times. */",
        "#define P_SATURATE(q) ((int16_t)((q) != (q) ? (double)P_MISSING \\",
        "    : (q) >= 32767.0 ? 32767.0 : (q) <= -32767.0 ? -32767.0 \\",
        "    : (q) < 0.0 ? (q) - 0.5 : (q) + 0.5))",
    ]
    bend = fixed.gauge.bend
    if bend is not None:
        lines += _bent(bend)
    for i, feature in enumerate(c.features):
        if feature.kind == VALUE:
            gain, offset = number(fixed.gauge.gain[i]), number(fixed.gauge.offset[i])
            integer = f"P_SATURATE({gain} * (double)(x) + {offset})"
            if bend is not None and bend.power[i] != 1.0:
                t = f"{number(bend.gain[i])} * (double)(x) + {number(bend.offset[i])}"
                integer = f"P_bent_({t}, {number(bend.power[i])}, {gain}, {offset})"
            lines.append(f"#define P_QUANTIZE_{words[feature.column].upper()}(x) {integer}")
    return "\n".join(lines)


def _bent(bend: Bend) -> list[str]:
    """Functions of the header for inputs that have a power: in double, where inputs are read."""
    limit = number(bend.limit)
    return [
        c_parts.bend("P_bend_", "double", REALS["double"], inline=True),
        f"""static inline int16_t P_bent_(double t, double power, double gain, double offset)
{{
    double q;
    t = t > {limit} ? {limit} : t < -{limit} ? -{limit} : t;
    q = gain * P_bend_(t, power) + offset;
    return P_SATURATE(q);
}}""",
    ]


def source(c: Computation, *, probabilities: bool) -> str:
    """The whole source."""
    fixed = quantize(c)
    parts = ['#include "P.h"', *_tables(fixed), *coding_tables(c), *_lookups(c, fixed), _power()]
    if fixed.clip is not None:
        parts.append(_clip(fixed.clip))
    parts += [_features(c, fixed), _scores(c, fixed)]
    if c.outcome.kind != SCORES:
        parts.append(classify(c, "int32_t", "0"))
        if probabilities:
            parts.append(_probabilities(c, fixed))
    return "\n\n".join([*parts, _selftest(c, fixed)])


def _numbers(c: Computation) -> list[int]:
    return [i for i, column in enumerate(c.columns) if column.kind == NUMBER]


def _integers(name: str, values: Iterable[int]) -> str:
    """A table of the narrowest type that holds it."""
    listed = [int(v) for v in values]
    low, high = min(listed), max(listed)
    kinds = (("int16_t", -ONE, ONE - 1), ("uint16_t", 0, 65535), ("int32_t", -(2**31), 2**31 - 1))
    kind = next(kind for kind, least, most in kinds if least <= low and high <= most)
    return array(kind, name, map(str, listed))


def _tables(fixed: Fixed) -> list[str]:
    made = [
        _integers("centers", fixed.centers.ravel()),
        array("uint16_t", "inv_widths", map(str, fixed.inv_widths.ravel().tolist())),
        _integers("weights", fixed.weights.ravel()),
        array("int32_t", "intercept", map(str, fixed.intercept.tolist())),
    ]
    if fixed.matrix is not None:
        made.append(_integers("matrix", fixed.matrix.ravel()))
    return made


def _power() -> str:
    powers = np.rint(ONE * 2.0 ** -(np.arange(STEPS + 1) / STEPS)).astype(int)
    return f"""{array("uint16_t", "powers", map(str, powers.tolist()))}

/* 2^-y with 15 bits, y with 27 bits behind the point: a table and straight lines. */
static uint32_t power_(uint32_t y)
{{
    uint32_t i = (y >> 22) & 31u, f = (y >> 12) & 1023u, n = y >> 27;
    uint32_t p = powers[i], drop = p - powers[i + 1];
    p -= (drop * f + 512u) >> 10;
    return (p + ((UINT32_C(1) << n) >> 1)) >> n;
}}"""


def _clip(clip: float) -> str:
    return f"""/* t c / sqrt(c^2 + t^2), all with 12 bits behind the point. */
static int16_t clip_(int32_t t)
{{
    uint32_t w = UINT32_C({round(clip * clip * Q12 * Q12)}) + (uint32_t)(t * t);
    uint32_t r = 0, bit = UINT32_C(1) << 30;
    for (; bit; bit >>= 2) {{
        if (w >= r + bit) {{ w -= r + bit; r = (r >> 1) + bit; }}
        else r >>= 1;
    }}
    return (int16_t)(t * {round(clip * Q12)} / (int32_t)r);
}}"""


def _lookups(c: Computation, fixed: Fixed) -> list[str]:
    """Mapped numbers of texts that are looked up."""
    return [
        array("int16_t", f"numbers{i}", map(str, fixed.looked_up[i].tolist()))
        for i, feature in enumerate(c.features)
        if feature.kind == LOOKUP
    ]


def _features(c: Computation, fixed: Fixed) -> str:
    place = places(c)
    lines = ["static int features_(ROW_, int16_t *u)", "{"]
    if is_plain(c) and (fixed.clip is None or fixed.clipped.all()):
        value = "clip_(numbers[i])" if fixed.clip is not None else "numbers[i]"
        lines += [
            f"    int i = {len(c.features)};",
            "    while (i--) {",
            "        if (numbers[i] == P_MISSING) return -1;",
            f"        u[i] = {value};",
            "    }",
        ]
        return "\n".join([*lines, "    return 0;", "}"])
    lines += codes(c)
    for i, feature in enumerate(c.features):
        value, (off, on) = place[feature.column], fixed.flags[i].tolist()
        if feature.kind == VALUE:
            if feature.fill is None:
                lines.append(f"    if ({value} == P_MISSING) return -1;")
            filled = f"{value} == P_MISSING ? {fixed.fills[i]} : {value}"
            filled = value if feature.fill is None else f"(int16_t)({filled})"
            lines.append(f"    u[{i}] = {f'clip_({filled})' if fixed.clipped[i] else filled};")
        elif feature.kind == GAP:
            lines.append(f"    u[{i}] = {value} == P_MISSING ? {on} : {off};")
        elif feature.kind == MEMBER:
            lines.append(f"    u[{i}] = c{feature.coding} == {feature.code} ? {on} : {off};")
        elif feature.kind == LOOKUP:
            lines.append(f"    u[{i}] = numbers{i}[c{feature.coding}];")
        else:
            lines.append(f"    u[{i}] = {off};")
    return "\n".join([*lines, "    return 0;", "}"])


def _scores(c: Computation, fixed: Fixed) -> str:
    d, k, m, n = len(c.features), c.n_mapped, len(c.nodes), c.n_outputs
    lines = ["int P_scores(ROW_, int32_t *scores)", "{"]
    if fixed.matrix is None:
        lines += [f"    int16_t z[{k}];", "    int j, k;"]
        lines += ["    if (features_(PASS_, z) < 0) return -1;"]
    else:
        lines += [
            f"    int16_t u[{d}];",
            f"    int32_t z[{k}];",
            "    int i, j, k;",
            "    if (features_(PASS_, u) < 0) return -1;",
            f"    for (k = 0; k < {k}; k++) {{",
            "        int32_t sum = 16384;",
            f"        for (i = 0; i < {d}; i++) sum += (int32_t)u[i] * matrix[k * {d} + i];",
            "        z[k] = sum >= 0 ? sum >> 15 : -((32767 - sum) >> 15);",
            "    }",
        ]
    rounding = f" + UINT32_C({1 << (fixed.shift - 1)})" if fixed.shift else ""
    return "\n".join(
        [
            *lines,
            f"    for (k = 0; k < {n}; k++) scores[k] = intercept[k];",
            f"    for (j = 0; j < {m}; j++) {{",
            "        uint32_t r2 = 0;",
            "        int32_t phi;",
            f"        for (k = 0; k < {k} && r2 < UINT32_C(23) << 24; k++) {{",
            f"            int32_t d = (int32_t)z[k] - centers[j * {k} + k];",
            "            uint32_t e = (uint32_t)(d < 0 ? -d : d);",
            f"            e = (e * inv_widths[j * {k} + k]{rounding}) >> {fixed.shift};",
            *(["            if (e > 32767u) e = 32767u;"] if fixed.farthest >= ONE else []),
            "            r2 += e * e;",
            "        }",
            "        if (r2 >= UINT32_C(23) << 24) continue; /* less than half a unit */",
            "        phi = (int32_t)power_((r2 >> 12) * UINT32_C(23637));",
            f"        for (k = 0; k < {n}; k++) scores[k] += phi * weights[j * {n} + k];",
            "    }",
            "    return 0;",
            "}",
        ]
    )


def _probabilities(c: Computation, fixed: Fixed) -> str:
    """Softmax: differences below 2^-20 of the largest are zero."""
    n, classes = c.n_outputs, len(c.classes)
    gain = c.outcome.temperature * fixed.unit / np.log(2.0) * 2.0**27
    farthest = min(20.0 * 2.0**27 / max(gain, 1e-12), 2.0**32 - 1)
    drop = max(0, int(np.ceil(np.log2(farthest / 65536.0))))
    factor = int(np.rint(gain * 2.0**drop))
    score = "(k ? scores[0] : (int32_t)0)" if n == 1 else "scores[k]"
    largest = "(best ? scores[0] : (int32_t)0)" if n == 1 else "scores[best]"
    return f"""int P_probabilities(ROW_, uint16_t *probabilities)
{{
    int32_t scores[{n}];
    uint32_t sum = 0;
    int k, best;
    if (P_scores(PASS_, scores) < 0) return -1;
    best = winner_(scores);
    for (k = {classes - 1}; k >= 0; k--) {{
        uint32_t d = (uint32_t){largest} - (uint32_t){score};
        uint32_t p = 0;
        if (d < UINT32_C({int(farthest)})) p = power_((d >> {drop}) * UINT32_C({factor}));
        probabilities[k] = (uint16_t)p;
        sum += p;
    }}
    for (k = {classes - 1}; k >= 0; k--)
        probabilities[k] = (uint16_t)((probabilities[k] * UINT32_C(32768) + (sum >> 1)) / sum);
    return best;
}}"""


def _selftest(c: Computation, fixed: Fixed) -> str:
    place = {feature.column: i for i, feature in enumerate(c.features) if feature.kind == VALUE}

    def entry(column: int, value: float | None) -> str:
        if value is None or column not in place:
            return "P_MISSING" if value is None else "0"
        return str(fixed.quantized(place[column], np.array(value)))

    kept = vectors(c)
    parts, call = selftest_calls(c, kept, "int16_t", entry)
    answers = [str(int(np.rint(f / fixed.unit))) for v in kept for f in v.answer["scores"]]
    n = c.n_outputs
    total = (np.abs(c.weights.coef).sum(axis=0) + np.abs(c.weights.intercept)).max()
    slack = int(0.02 * total / fixed.unit)
    return f"""#ifndef P_NO_SELFTEST
{parts}
{array("int32_t", "test_scores", answers)}

int P_selftest(void)
{{
    int32_t scores[{n}];
    int i, k, failed = 0;
    for (i = 0; i < {len(kept)}; i++) {{
        if (P_scores({call}, scores) < 0) {{ failed++; continue; }}
        for (k = 0; k < {n}; k++) {{
            int32_t d = scores[k] - test_scores[i * {n} + k];
            if (d > {slack} || d < -{slack}) {{ failed++; break; }}
        }}
    }}
    return failed;
}}
#endif"""
