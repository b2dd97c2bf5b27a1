"""The network of a model in JavaScript: the map, the nodes, weights of one or more sizes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from drumlin.export.computation import (
    B_SPLINE,
    GAUSSIAN,
    INVERSE_MULTIQUADRIC,
    MULTIQUADRIC,
    Computation,
    NodeTable,
)
from drumlin.export.steps import activation_steps, map_steps
from drumlin.export.text import number, wrapped

STEPS = {
    "scale": "  z = z.map((v, i) => (v - shift{i}[i]) / scale{i}[i]);",
    "limit": "  z = z.map((v) => Math.min(Math.max(v, -{limit}), {limit}));",
    "power": "  z = z.map((v, i) => bent(v, power{i}[i]));",
    "clip": "  if (clip) z = z.map((t, i) => t / Math.sqrt(1 + (t * invClip[i]) ** 2));",
    "cap": "  phi = phi.map((r2) => Math.min(r2, 1e300));",
    "nearest": """  const nearest = phi.reduce((a, b) => Math.min(a, b));
  phi = phi.map((r2) => r2 - nearest);""",
    "activate": "  phi = phi.map((r2) => {radial});",
    "share": """  phi = phi.map((p, j) => p * shares[j]);
  const total = phi.reduce((a, b) => a + b);
  phi = phi.map((p) => p / total);""",
    GAUSSIAN: "Math.exp(Math.max(-0.5 * r2, -700))",
    MULTIQUADRIC: "Math.sqrt(1 + Math.min(r2, 1e300))",
    INVERSE_MULTIQUADRIC: "1 / Math.sqrt(1 + r2)",
    B_SPLINE: "0.25 * Math.max(2 - Math.sqrt(r2 / 3), 0) ** 3"
    " - Math.max(1 - Math.sqrt(r2 / 3), 0) ** 3",
}

BENT = """/** A power that draws in one tail (Yeo and Johnson); 1 leaves t as it is. */
function bent(t, power) {
  if (power === 1) return t;
  const exponent = t < 0 ? 2 - power : power;
  const log = Math.log1p(Math.abs(t));
  const size = exponent > 0 ? Math.expm1(exponent * log) / exponent : log;
  return t < 0 ? -size : size;
}

"""


def mapping(c: Computation) -> str:
    """From features to the space of the nodes."""
    return (BENT if c.bent.any() else "") + _map(c)


def _map(c: Computation) -> str:
    lines = ["function map(x, clip) {", "  let z = Float64Array.from(x);", *map_steps(c, STEPS)]
    if c.mapping.matrix is None:
        return "\n".join([*lines, "  return z;", "}"])
    return "\n".join(
        [
            *lines,
            f"  const mixed = new Float64Array({c.n_mapped});",
            f"  for (let k = 0; k < {c.n_mapped}; k++) {{",
            f"    for (let i = 0; i < {len(c.features)}; i++) "
            f"mixed[k] += z[i] * matrix[k * {len(c.features)} + i];",
            "  }",
            "  return mixed;",
            "}",
        ]
    )


def activations(c: Computation) -> str:
    """What every node says of a mapped row."""
    k, m = c.n_mapped, len(c.nodes)
    steps = "\n".join(activation_steps(c, STEPS))
    return f"""function squaredDistances(z, centers, invWidths, n) {{
  const distances = new Float64Array(n);
  for (let j = 0; j < n; j++) {{
    for (let k = 0; k < {k}; k++) {{
      const d = (z[k] - centers[j * {k} + k]) * invWidths[j * {k} + k];
      distances[j] += d * d;
    }}
  }}
  return distances;
}}

function activationsOf(z) {{
  let phi = squaredDistances(z, centers, invWidths, {m});
{steps}
  return phi;
}}"""


def networks(c: Computation, smaller: Sequence[Computation]) -> str:
    """Weights by number of nodes, and what becomes of activations."""
    n, m = c.n_outputs, len(c.nodes)
    entries = [_smaller(c, part) for part in smaller if len(part.nodes) < m]
    beta = number(c.outcome.temperature)
    every = f"Array.from({{ length: {m} }}, (_, j) => j)"
    entries.append(f"  [{m}, {{ nodes: {every}, weights, intercept, beta: {beta} }}],")
    body = "\n".join(entries)
    return f"""// By number of nodes: which nodes stay, and their weights.
const networks = new Map([
{body}
]);
/** Numbers of nodes that the model can be cut to; the last is all of them. @type {{number[]}} */
export const sizes = Array.from(networks.keys());

function scoresOf(phi, network) {{
  const {{ nodes, weights, intercept }} = network;
  const scores = Array.from(intercept);
  for (let i = 0; i < nodes.length; i++) {{
    for (let k = 0; k < {n}; k++) scores[k] += phi[nodes[i]] * weights[i * {n} + k];
  }}
  return scores;
}}

/** What every node, and last the intercept, adds to every score. */
function partsOf(phi, network) {{
  const {{ nodes, weights, intercept }} = network;
  const parts = nodes.map((j, i) =>
    Array.from(intercept, (_, k) => phi[j] * weights[i * {n} + k]),
  );
  return [...parts, Array.from(intercept)];
}}"""


def _smaller(c: Computation, part: Computation) -> str:
    nodes = wrapped(map(str, kept_nodes(c.nodes, part.nodes)), "    ")
    weights = wrapped(map(number, np.ravel(part.weights.coef)), "    ")
    intercept = wrapped(map(number, part.weights.intercept), "    ")
    beta = number(part.outcome.temperature)
    return (
        f"  [{len(part.nodes)}, {{ beta: {beta}, nodes: [\n{nodes}\n  ], weights: [\n{weights}\n"
        f"  ], intercept: [\n{intercept}\n  ] }}],"
    )


def kept_nodes(whole: NodeTable, part: NodeTable) -> list[int]:
    """Which nodes of a network a smaller one has kept, in its order.

    Raises
    ------
    ValueError
        Where one of its nodes is none of them.
    """
    places: dict[bytes, list[int]] = {}
    for j in reversed(range(len(whole))):
        places.setdefault(_bytes(whole, j), []).append(j)
    kept = []
    for j in range(len(part)):
        found = places.get(_bytes(part, j))
        if not found:
            raise ValueError(f"Node {j + 1} of the smaller model is not one of the whole model's.")
        kept.append(found.pop())
    return kept


def _bytes(nodes: NodeTable, j: int) -> bytes:
    return nodes.centers[j].tobytes() + nodes.inv_widths[j].tobytes()


def novelty(c: Computation) -> str:
    """How far a row is from all nodes, compared with the training rows."""
    assert c.novelty is not None
    last, m = len(c.novelty.quantiles) - 1, len(c.novelty.nodes)
    return f"""/** Part of the training rows that are nearer to a node. */
function noveltyOf(z) {{
  const distances = squaredDistances(z, placeCenters, placeInvWidths, {m});
  const d = Math.sqrt(distances.reduce((a, b) => Math.min(a, b)));
  let i = 0;
  while (i <= {last} && seen[i] < d) i++;
  if (i > {last}) return 1;
  if (i === 0 || seen[i] === d) return i / {last};
  return (i - 1 + (d - seen[i - 1]) / (seen[i] - seen[i - 1])) / {last};
}}"""
