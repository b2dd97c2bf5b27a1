// ------------------------------------------------------------------------ thresholds and costs

/** What happens on the data at a threshold, with the costs that are chosen. */
function judgedAt(step) {
  const { hits, alarms } = about.sizes[sizes.indexOf(state.size)];
  const misses = hits[0] - hits[step];
  const said = hits[step] + alarms[step];
  return {
    precision: said ? hits[step] / said : NaN,
    recall: hits[0] ? hits[step] / hits[0] : NaN,
    alarms: alarms[step],
    misses,
    cost: (state.costs[0] * alarms[step] + state.costs[1] * misses) / about.nRows,
  };
}

/** The threshold of least cost; of several the one nearest to what honest probabilities want. */
function cheapest() {
  const honest = (about.steps * state.costs[0]) / (state.costs[0] + state.costs[1]);
  const steps = Array.from({ length: about.steps + 1 }, (_, step) => step);
  const cost = steps.map((step) => judgedAt(step).cost);
  const least = Math.min(...cost);
  const best = steps.filter((step) => cost[step] === least);
  return best.sort((a, b) => Math.abs(a - honest) - Math.abs(b - honest))[0];
}

function showThreshold() {
  if (!el("threshold")) return;
  const step = Math.round(state.threshold * about.steps);
  const now = judgedAt(step);
  put(el("threshold-words"), state.threshold.toFixed(2), state.threshold);
  Object.entries(now).forEach(([name, value]) => {
    const text = name === "precision" || name === "recall" ? inPercent(value) : written(value);
    put(el(name), text, value);
  });
  const spoken = `${state.threshold.toFixed(2)}, cost per row ${written(now.cost)}`;
  el("threshold").setAttribute("aria-valuetext", spoken);
  const best = cheapest();
  const baselines = [judgedAt(0).cost, judgedAtNever()];
  const words = `Least cost on these data: ${written(judgedAt(best).cost)} per row at threshold `;
  const constant = `; always announcing costs ${written(baselines[0])}, never ${written(baselines[1])}.`;
  put(el("cheapest"), words + (best / about.steps).toFixed(2) + constant, best / about.steps);
}

const judgedAtNever = () =>
  (state.costs[1] * about.sizes[about.sizes.length - 1].hits[0]) / about.nRows;
