// --------------------------------------------------------------------------- intervals of a number

/**
 * How the score moves with the intercept, weights, and centers and widths of a mapped row: the
 * derivatives of drumlin/laplace/slopes.py, in their order.
 * @param {Float64Array} z
 * @returns {number[]}
 */
function slopesOf(z) {
  const { coef, shared } = about.intervals;
  const d = z.length;
  const phi = Array.from(activationsOf(z));
  const moved = coef.map((w, j) =>
    Array.from(z, (value, k) => {
      const distance = (value - centers[j * d + k]) * invWidths[j * d + k];
      return [w * phi[j] * distance, w * phi[j] * distance * distance];
    }),
  );
  if (!shared) {
    return [1, ...phi, ...moved.flat().map((pair) => pair[0]), ...moved.flat().map((pair) => pair[1])];
  }
  const byInput = Array.from(z, (_, k) => moved.reduce((sum, own) => sum + own[k][1], 0));
  return [1, ...phi, ...byInput];
}

/** Variance of the score of a mapped row, in units of the codes. */
function varianceOf(z) {
  const { factor, variance } = about.intervals;
  if (!factor) return variance;
  const sums = [];
  slopesOf(z).forEach((slope, i) => {
    factor[i].forEach((entry, k) => (sums[k] = (sums[k] || 0) + slope * entry));
  });
  return sums.reduce((total, sum) => total + sum * sum, 0);
}

/** Ends of the interval of every confidence around a number; null where there is none. */
function intervalsAround(value) {
  const { limits, noise, unit } = about.intervals;
  const std = Math.sqrt(noise + varianceOf(map(features(state.row), true))) * unit;
  return Object.entries(limits).map(([level, limit]) => {
    return { level, ends: limit === null ? null : [value - limit * std, value + limit * std] };
  });
}

function showIntervals(value) {
  const whole = state.size === sizes[sizes.length - 1];
  const rows = intervalsAround(value).map(({ level, ends }) => {
    const known = whole && ends !== null;
    const text = known ? `${written(ends[0])} to ${written(ends[1])}` : "not known";
    const row = make("tr");
    const label = make("th", "", `${Math.round(100 * level)} %`);
    label.scope = "row";
    row.append(label, put(make("td"), text, known ? ends.join(" ") : ""));
    return row;
  });
  el("interval").replaceChildren(...rows);
}
