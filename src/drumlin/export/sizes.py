"""What a computation costs: bytes of tables and operations of one row, at most."""

from __future__ import annotations

from drumlin.export.computation import GAUSSIAN, SOFTMAX, Computation

_BYTES = {"double": 8, "float": 4, "q15": 2}


def table_bytes(c: Computation, number: str) -> int:
    """Bytes of constant tables, texts of categories and classes included, novelty not."""
    d, k, m, n = len(c.features), c.n_mapped, len(c.nodes), c.n_outputs
    entries = 2 * d * len(c.mapping.scalings) + m * (2 * k + n) + n
    entries += d if c.mapping.inv_clip is not None else 0
    entries += d * k if c.mapping.matrix is not None else 0
    entries += m if c.nodes.shares is not None else 0
    texts = [*map(str, c.classes), *(text for coding in c.codings for text in coding.texts)]
    return entries * _BYTES[number] + sum(
        len(text.encode("utf-8", "replace")) + 1 for text in texts
    )


def operations(c: Computation, *, probabilities: bool) -> dict[str, int]:
    """Floating-point operations by name."""
    d, k, m, n = len(c.features), c.n_mapped, len(c.nodes), c.n_outputs
    layers = len(c.mapping.scalings)
    clip = int(c.mapping.inv_clip is not None) * d
    mixed = d * k if c.mapping.matrix is not None else 0
    passes = 2 if c.nodes.shares is not None else 1
    is_softmax = probabilities and c.outcome.kind == SOFTMAX
    n_classes = len(c.classes) if is_softmax else 0
    exps = (m if c.nodes.radial == GAUSSIAN else 0) + n_classes
    return {
        "additions": d * layers + clip + mixed + passes * 2 * m * k + m * n + 2 * n_classes,
        "multiplications": 3 * clip + mixed + passes * 2 * m * k + m * n + m + n_classes,
        "divisions": d * layers + clip + n_classes + (n if passes == 2 else 0),
        "square roots": clip + (0 if c.nodes.radial == GAUSSIAN else m),
        "exponentials": exps,
    }
