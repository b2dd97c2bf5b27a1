"""Steps of the SQL target: columns, mapping, nodes. Every step is a list of named expressions."""

from __future__ import annotations

from collections.abc import Sequence

from drumlin.export.computation import (
    B_SPLINE,
    GAP,
    GAUSSIAN,
    INVERSE_MULTIQUADRIC,
    LOOKUP,
    MEMBER,
    MULTIQUADRIC,
    NUMBER,
    VALUE,
    Computation,
    Feature,
    NodeTable,
)
from drumlin.export.dialects import Dialect, real
from drumlin.export.text import sql_name

Named = dict[str, str]
"""Expressions by the names of their columns."""

Step = tuple[str, Named]
"""A common table expression: its name, and the columns that it adds."""

_GROUP = 50  # terms of a sum: parsers have limits of depth
_LARGEST = 1e300


# ---------------------------------------------------------------------------------------- columns
def raw(c: Computation, words: Dialect, keep: Sequence[str]) -> Named:
    """Columns under names of our own; qualified, since SQLite takes unknown names for texts."""
    made = numbered([f"given_.{sql_name(name)}" for name in keep], "k")
    for i, column in enumerate(c.columns):
        name = f"given_.{sql_name(column.name)}"
        if column.kind == NUMBER:
            made[f"c{i}"] = _finite(f"CAST({name} AS {words.real})", words)
        else:
            made[f"c{i}"] = f"CAST({name} AS {words.text}){words.collate}"
    return made


def _finite(value: str, words: Dialect) -> str:
    largest = real(_LARGEST)
    least = real(-_LARGEST)
    gap = f"WHEN {words.is_nan.format(value)} THEN NULL " if words.is_nan else ""
    tiny = f"WHEN ABS({value}) < 1e-290 THEN 0e0 " if words.is_strict else ""
    return (
        f"CASE {gap}{tiny}WHEN {value} > {largest} THEN {largest} "
        f"WHEN {value} < {least} THEN {least} ELSE {value} END"
    )


def features(c: Computation, words: Dialect) -> Named:
    """Features x*."""
    return numbered([_feature(feature, c, words) for feature in c.features], "x")


def known(c: Computation) -> list[str]:
    """Nothing, or what is 0, and NULL where a number is missing that nothing fills."""
    return ["known"] if c.may_lack else []


def knowing(c: Computation) -> list[Step]:
    """The step that makes ``known``: gaps count though no node may look at them."""
    looked = [f"0e0 * x{i}" for i, f in enumerate(c.features) if f.kind == VALUE and f.fill is None]
    return [("known_", {"known": sum_of(looked)})] if looked else []


def _feature(feature: Feature, c: Computation, words: Dialect) -> str:
    value = f"c{feature.column}"
    if feature.kind == VALUE:
        return value if feature.fill is None else f"COALESCE({value}, {real(feature.fill)})"
    if feature.kind == GAP:
        return f"CASE WHEN {value} IS NULL THEN 1e0 ELSE 0e0 END"
    if feature.kind == MEMBER:
        return _member(feature, c, words, value)
    if feature.kind == LOOKUP:
        return _looked_up(feature, c, words, value)
    return "0e0"


def _member(feature: Feature, c: Computation, words: Dialect, value: str) -> str:
    """1 for the texts of a category."""
    coding = c.codings[feature.coding]
    missing, unknown = (float(code == feature.code) for code in (coding.missing, coding.unknown))
    # Only texts whose answer differs from that of unknown ones need to be listed.
    other = [
        words.string(text)
        for text, code in zip(coding.texts, coding.codes, strict=True)
        if float(code == feature.code) != unknown
    ]
    listed = f"WHEN {value} IN ({', '.join(other)}) THEN {real(1.0 - unknown)} " if other else ""
    return f"CASE WHEN {value} IS NULL THEN {real(missing)} {listed}ELSE {real(unknown)} END"


def _looked_up(feature: Feature, c: Computation, words: Dialect, value: str) -> str:
    """The number of a text's category; texts of the same number share a line."""
    coding = c.codings[feature.coding]
    texts: dict[int, list[str]] = {}
    for text, code in zip(coding.texts, coding.codes, strict=True):
        texts.setdefault(code, []).append(words.string(text))
    numbers = [real(number) for number in feature.values]
    lines = [
        f"WHEN {value} IN ({', '.join(listed)}) THEN {numbers[code]}"
        for code, listed in texts.items()
        if code != coding.unknown
    ]
    cases = " ".join([f"WHEN {value} IS NULL THEN {numbers[coding.missing]}", *lines])
    return f"CASE {cases} ELSE {numbers[coding.unknown]} END"


# ---------------------------------------------------------------------------------------- mapping
def mapped(c: Computation, words: Dialect, out: str, *, clip: bool) -> list[Step]:
    """Steps from features to the space of the nodes; the last makes ``out``0, ``out``1, ..."""
    steps: list[Step] = []
    name = "x"
    for layer, scaling in enumerate(c.mapping.scalings):
        terms = [
            f"({name}{i} - {real(shift)}) / {real(scale)}"
            for i, (shift, scale) in enumerate(zip(scaling.shift, scaling.scale, strict=True))
        ]
        steps.append((f"{out}scaled{layer}_", numbered(terms, f"{out}s{layer}_")))
        name = f"{out}s{layer}_"
        if scaling.limit is not None:
            limited = [_limited(f"{name}{i}", scaling.limit) for i in range(len(terms))]
            steps.append((f"{out}limited{layer}_", numbered(limited, f"{out}l{layer}_")))
            name = f"{out}l{layer}_"
        if scaling.power is not None:
            bent = [_bent(f"{name}{i}", p) for i, p in enumerate(scaling.power.tolist())]
            steps.append((f"{out}bent{layer}_", numbered(bent, f"{out}b{layer}_")))
            name = f"{out}b{layer}_"
    if c.mapping.inv_clip is not None and clip:
        terms = [
            f"{name}{i} / SQRT(1e0 + {words.square(f'{name}{i} * {real(p)}')})"
            if p
            else f"{name}{i}"
            for i, p in enumerate(c.mapping.inv_clip)
        ]
        steps.append((f"{out}clipped_", numbered(terms, f"{out}u")))
        name = f"{out}u"
    if c.mapping.matrix is not None:
        terms = [
            sum_of([f"{name}{i} * {real(a)}" for i, a in enumerate(column)])
            for column in c.mapping.matrix.T
        ]
    elif _are_told_apart(c):
        terms = [f"{name}{i}" for i in range(c.n_mapped)]
    else:
        terms = [_limited(f"{name}{i}", _reach(c, i)) for i in range(c.n_mapped)]
    return [*steps, (f"{out}mapped_", numbered(terms, out))]


def _bent(value: str, power: float) -> str:
    """Yeo and Johnson's power of a limited number; 1 leaves it as it is."""
    if power == 1.0:
        return value
    below, above = _grown(f"1e0 - {value}", 2.0 - power), _grown(f"1e0 + {value}", power)
    return f"CASE WHEN {value} < 0e0 THEN -({below}) ELSE {above} END"


def _grown(base: str, exponent: float) -> str:
    """A number of at least 1 to an exponent, from 0 on and with slope 1 at 1."""
    if exponent == 0.0:
        return f"LN({base})"
    return f"(POWER({base}, {real(exponent)}) - 1e0) / {real(exponent)}"


def _are_told_apart(c: Computation) -> bool:
    """Whether distances matter however far a row is: nodes compete, or never fade."""
    return c.nodes.shares is not None or c.nodes.radial != GAUSSIAN


def _reach(c: Computation, i: int) -> float:
    """Number beyond which squares would overflow."""
    tables = [c.nodes] if c.novelty is None else [c.nodes, c.novelty.nodes]
    sharpest = max((nodes.inv_widths[:, i].max() for nodes in tables if len(nodes)), default=0.0)
    return float(min(1e140 / max(sharpest, 1e-150), _LARGEST))


def _limited(value: str, limit: float) -> str:
    above, below = real(limit), real(-limit)
    return (
        f"CASE WHEN {value} > {above} THEN {above} WHEN {value} < {below} THEN {below} "
        f"ELSE {value} END"
    )


def nodes(c: Computation, words: Dialect, nodes: NodeTable, z: str, out: str) -> Named:
    """Squared distances; what a node does not look at is left out."""
    limit = 1e150 if _are_told_apart(c) else None
    sums = []
    for centers, inverse in zip(nodes.centers, nodes.inv_widths, strict=True):
        pairs = enumerate(zip(centers, inverse, strict=True))
        terms = [f"({z}{k} - {real(center)}) * {real(p)}" for k, (center, p) in pairs if p]
        terms = terms if limit is None else [_limited(term, limit) for term in terms]
        sums.append(sum_of([words.square(term) for term in terms]))
    return numbered(sums, out)


def activated(c: Computation, words: Dialect) -> list[Step]:
    """Steps from squared distances r* to activations p*."""
    steps: list[Step] = []
    m, name = len(c.nodes), "r"
    if c.nodes.shares is not None:
        name = "f"
        far = [_limited(f"r{j}", 1e300) for j in range(m)]
        steps.append(("far_", numbered(far, "f")))
        if c.nodes.radial == GAUSSIAN:
            nearest = words.extreme(words.least, [f"f{j}" for j in range(m)])
            steps.append(("nearest_", {"nearest": nearest}))
            steps.append(("nearer_", numbered([f"f{j} - nearest" for j in range(m)], "n")))
            name = "n"
    terms = [_radial(c, f"{name}{j}", words) for j in range(m)]
    if c.nodes.shares is None:
        return [*steps, ("activated_", numbered(terms, "p"))]
    terms = [f"{term} * {real(s)}" for term, s in zip(terms, c.nodes.shares, strict=True)]
    total = sum_of([f"a{j}" for j in range(m)])
    return [
        *steps,
        ("activated_", numbered(terms, "a")),
        ("total_", {"total": total}),
        ("normalized_", numbered([f"a{j} / total" for j in range(m)], "p")),
    ]


def _b_spline(q: str) -> str:
    """Two cubics, each where it is above zero."""
    near, far = f"(1e0 - {q})", f"(2e0 - {q})"
    inner = f"CASE WHEN {q} < 1e0 THEN {near} * {near} * {near} ELSE 0e0 END"
    outer = f"CASE WHEN {q} < 2e0 THEN 0.25e0 * {far} * {far} * {far} ELSE 0e0 END"
    return f"({outer}) - ({inner})"


def _radial(c: Computation, r2: str, words: Dialect) -> str:
    limit = -2.0 * words.floor
    return {
        GAUSSIAN: f"EXP(-0.5e0 * CASE WHEN {r2} > {real(limit)} THEN {real(limit)} ELSE {r2} END)",
        MULTIQUADRIC: f"SQRT(1e0 + CASE WHEN {r2} > 1e300 THEN 1e300 ELSE {r2} END)",
        INVERSE_MULTIQUADRIC: f"1e0 / SQRT(1e0 + {r2})",
        B_SPLINE: _b_spline(f"SQRT({r2} / 3e0)"),
    }[c.nodes.radial]


# ---------------------------------------------------------------------------------------- helpers
def numbered(terms: list[str], name: str) -> Named:
    """Expressions under a name with a number."""
    return {f"{name}{i}": term for i, term in enumerate(terms)}


def sum_of(terms: list[str]) -> str:
    """A sum of bounded depth."""
    if not terms:
        return "0e0"
    while len(terms) > _GROUP:
        terms = [
            f"({' + '.join(terms[start : start + _GROUP])})"
            for start in range(0, len(terms), _GROUP)
        ]
    return " + ".join(terms)
