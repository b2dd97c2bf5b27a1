"""Pieces of C in floating point, continued: scores, classes, probabilities, the self-test."""

from __future__ import annotations

from collections.abc import Callable

from drumlin.export.c_parts import Real, array
from drumlin.export.computation import GAUSSIAN, NUMBER, SHARES, TEXT, Computation
from drumlin.export.tables import check_resolution
from drumlin.export.text import c_string, wrapped
from drumlin.export.vectors import Vector


def scores(c: Computation, real: Real, *, has_switch: bool) -> str:
    """The function P_scores."""
    d, k, m, n = len(c.features), c.n_mapped, len(c.nodes), c.n_outputs
    clip = ", 1" if has_switch else ""
    lines = ["int P_scores(ROW_, R *scores)", "{", f"    R x[{d}], z[{k}];", "    int j, k;"]
    lines += ["    if (features_(PASS_, x) < 0) return -1;", f"    map_(x, z{clip});"]
    if c.nodes.shares is not None:
        lines += _normalized(c, real)
    elif m:
        lines += [
            f"    for (k = 0; k < {n}; k++) scores[k] = intercept[k];",
            f"    for (j = 0; j < {m}; j++) {{",
            f"        R phi = radial_(distance_(z, centers + j * {k}, inv_widths + j * {k}));",
            f"        for (k = 0; k < {n}; k++) scores[k] += phi * weights[j * {n} + k];",
            "    }",
        ]
    else:
        lines += ["    (void)j;", f"    for (k = 0; k < {n}; k++) scores[k] = intercept[k];"]
    return "\n".join([*lines, "    return 0;", "}"])


def _normalized(c: Computation, real: Real) -> list[str]:
    """Weighted means of the weights; a factor that cancels keeps the nearest node's at 1."""
    k, m, n = c.n_mapped, len(c.nodes), c.n_outputs
    zero, far = real.literal(0.0), real.literal(real.farthest)
    r2 = f"distance_(z, centers + j * {k}, inv_widths + j * {k})"
    lines = [f"    R total = {zero};"]
    body = [f"        R r2 = {r2}, phi;", f"        r2 = r2 > {far} ? {far} : r2;"]
    if c.nodes.radial == GAUSSIAN:
        lines[0] = f"    R total = {zero}, nearest = {zero};"
        lines += [f"    for (j = 0; j < {m}; j++) {{", *body[:1], body[1]]
        lines[-2] = f"        R r2 = {r2};"
        lines += ["        if (j == 0 || r2 < nearest) nearest = r2;", "    }"]
        body.append("        r2 -= nearest;")
    return [
        "    {",
        *[f"    {line}" for line in lines],
        f"        for (k = 0; k < {n}; k++) scores[k] = {zero};",
        f"        for (j = 0; j < {m}; j++) {{",
        *[f"    {line}" for line in body],
        "            phi = radial_(r2) * shares[j];",
        "            total += phi;",
        f"            for (k = 0; k < {n}; k++) scores[k] += phi * weights[j * {n} + k];",
        "        }",
        f"        for (k = 0; k < {n}; k++) scores[k] = intercept[k] + scores[k] / total;",
        "    }",
    ]


def classify(c: Computation, kind: str, zero: str) -> str:
    """The function P_classify of scores of some type, and the labels."""
    n = c.n_outputs
    texts = wrapped(c_string(str(label)) for label in c.classes)
    pick = [f"    return scores[0] > {zero};"]
    if n > 1:
        pick = [
            "    int k, best = 0;",
            f"    for (k = 1; k < {n}; k++) if (scores[k] > scores[best]) best = k;",
            "    return best;",
        ]
    return "\n".join(
        [
            f"const char *const P_labels[{len(c.classes)}] = {{\n{texts}\n}};",
            "",
            f"static int winner_(const {kind} *scores)",
            "{",
            *pick,
            "}",
            "",
            "int P_classify(ROW_)",
            "{",
            f"    {kind} scores[{n}];",
            "    return P_scores(PASS_, scores) < 0 ? -1 : winner_(scores);",
            "}",
        ]
    )


def probabilities(c: Computation, real: Real) -> str:
    """The function P_probabilities."""
    n, classes = c.n_outputs, len(c.classes)
    zero, beta = real.literal(0.0), real.literal(c.outcome.temperature)
    lines = ["int P_probabilities(ROW_, R *probabilities)", "{"]
    if c.outcome.kind == SHARES:
        body = ["    if (P_scores(PASS_, probabilities) < 0) return -1;"]
        return "\n".join([*lines, *body, "    return winner_(probabilities);", "}"])
    split = "k ? scores[0] : 0" if n == 1 else "scores[k]"
    split = split.replace(": 0", f": {zero}")
    floor = real.literal(real.floor)
    return "\n".join(
        [
            *lines,
            f"    R scores[{n}], largest = {zero}, sum = {zero};",
            "    int k, best;",
            "    if (P_scores(PASS_, scores) < 0) return -1;",
            "    best = winner_(scores);",
            f"    largest = {f'best ? scores[0] : {zero}' if n == 1 else 'scores[best]'};",
            f"    for (k = 0; k < {classes}; k++) {{",
            f"        R f = {beta} * (({split}) - largest);",
            f"        probabilities[k] = EXP_(f < {floor} ? {floor} : f);",
            "        sum += probabilities[k];",
            "    }",
            f"    for (k = 0; k < {classes}; k++) probabilities[k] /= sum;",
            "    return best;",
            "}",
        ]
    )


def selftest_calls(
    c: Computation, kept: list[Vector], kind: str, entry: Callable[[int, float | None], str]
) -> tuple[str, str]:
    """Tables of test vectors, and how row i is passed.

    ``entry`` writes the number of a column; None is a missing one.
    """
    numbers = [i for i, column in enumerate(c.columns) if column.kind == NUMBER]
    texts = [i for i, column in enumerate(c.columns) if column.kind == TEXT]
    tables, call = [], []
    if numbers:
        entries = [entry(i, v.row[i]) for v in kept for i in numbers]
        tables.append(array(kind, "test_numbers", entries))
        call.append(f"test_numbers + i * {len(numbers)}")
    if texts:
        entries = ["0" if v.row[i] is None else c_string(v.row[i]) for v in kept for i in texts]
        tables.append(
            f"static const char *const test_texts[{len(entries)}] = {{\n{wrapped(entries)}\n}};"
        )
        call.append(f"test_texts + i * {len(texts)}")
    return "\n".join(tables), ", ".join(call)


def selftest(c: Computation, real: Real, tests: list[Vector]) -> str:
    """The function P_selftest: how many test vectors it gets wrong."""
    n, nan = c.n_outputs, f"({real.literal(0.0)} / {real.literal(0.0)})"
    kept = [vector for vector in tests if all(map(real.holds, vector.row))]
    if not kept:
        return "#ifndef P_NO_SELFTEST\nint P_selftest(void) { return 0; }\n#endif"
    tables, call = selftest_calls(
        c, kept, real.name, lambda _, value: nan if value is None else real.literal(value)
    )
    answers = [real.literal(f) for v in kept for f in v.answer["scores"]]
    total = abs(c.weights.coef).sum(axis=0) + abs(c.weights.intercept)
    precision = 1e-10 if real.size == 8 else 1e-4 + 4.0 * check_resolution(c)
    slack = real.literal(float(precision * max(total.max(), 1e-30)))
    return f"""#ifndef P_NO_SELFTEST
{tables}
{array(real.name, "test_scores", answers)}

int P_selftest(void)
{{
    R scores[{n}];
    int i, k, failed = 0;
    for (i = 0; i < {len(kept)}; i++) {{
        if (P_scores({call}, scores) < 0) {{ failed++; continue; }}
        for (k = 0; k < {n}; k++) {{
            R d = scores[k] - test_scores[i * {n} + k];
            if (!(d <= {slack} && d >= -{slack})) {{ failed++; break; }}
        }}
    }}
    return failed;
}}
#endif"""
