// ------------------------------------------------------------------------- what the model says

const MOST_NODES = 8;
let announced = 0;

/** Show the answer for the values that are chosen, and where it comes from. */
function showAnswer() {
  const answer = predict(state.row, state.size);
  const words = answer.scores === null ? "no answer: a number is missing" : inWords(answer);
  put(el("answer"), words, about.classes.length ? classOf(answer) : answer.value);
  if (answer.scores === null) return;
  if (about.classes.length) showShares(el("probabilities"), about.classes, answer.probabilities);
  if (answer.novelty !== undefined) showNovelty(answer.novelty);
  if (el("set")) showSet(answer.probabilities);
  if (el("interval")) showIntervals(answer.scores[0]);
  showNodes(classOf(answer));
  announce(words);
}

/** Place of the class that is announced: of two, that of the threshold, else of least cost. */
function classOf(answer) {
  if (answer.scores === null || !about.classes.length) return 0;
  if (about.classes.length === 2) return answer.probabilities[1] >= state.threshold ? 1 : 0;
  const worth = answer.probabilities.map((p, k) => p * state.costs[k]);
  return worth.indexOf(Math.max(...worth));
}

function inWords(answer) {
  if (!about.classes.length) {
    return answer.scores.map((value, k) => about.outputs.length > 1 ? `${about.outputs[k]}: ${written(value)}` : written(value)).join(", ");
  }
  const k = classOf(answer);
  const words = `${about.classes[k]}, probability ${inPercent(answer.probabilities[k])}`;
  const likely = answer.probabilities[k] >= Math.max(...answer.probabilities);
  return likely ? words : `${words}: announced because of the costs or the threshold`;
}

/** Tell a screen reader, but not at every step of a slider. */
function announce(words) {
  clearTimeout(announced);
  announced = setTimeout(() => put(el("spoken"), words), 600);
}

function showNovelty(novelty) {
  const nearer = `${inPercent(novelty)} of the training rows are nearer to a node`;
  const beyond = "farther from all nodes than every training row: do not trust the answer";
  put(el("novelty"), novelty >= 1 ? beyond : nearer, novelty);
  el("novelty").classList.toggle("warning", novelty >= 0.99);
}

/** Contributions of the nodes to the score that is looked at: the largest first. */
function showNodes(announcedClass) {
  const { nodes, parts } = contributions(state.row, state.size);
  const own = about.outputs.length === 1 ? 0 : announcedClass;
  const k = state.output < 0 ? own : state.output;
  const entries = nodes.map((j, i) => ({ label: `node ${j + 1}`, value: parts[i][k] }));
  entries.sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const rest = entries.splice(MOST_NODES);
  const sum = rest.reduce((total, entry) => total + entry.value, 0);
  if (rest.length) entries.push({ label: counted(rest.length, "other node"), value: sum });
  entries.unshift({ label: "intercept", value: parts[parts.length - 1][k] });
  const score = parts.reduce((total, part) => total + part[k], 0);
  entries.push({ label: "score", value: score });
  const colored = entries.map((entry) => {
    return { ...entry, text: written(entry.value), color: entry.value > 0 ? "--c1" : "--c0" };
  });
  showBars(el("nodes"), colored);
}

/**
 * How strange every class is: equations of drumlin/trust/conformity.py for one row.
 * @param {number[]} probabilities
 * @returns {number[]}
 */
function strangeness(probabilities) {
  const n = probabilities.length;
  const order = probabilities.map((_, k) => k).sort((a, b) => probabilities[b] - probabilities[a] || a - b);
  const p = order.map((k) => probabilities[k]);
  const odds = (a, b) => Math.log(Math.max(a, 2 ** -1022)) - Math.log(Math.max(b, 2 ** -1022));
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const strange = new Array(n);
  order.forEach((k, j) => {
    if (j && p[j] === p[j - 1]) strange[k] = strange[order[j - 1]];
    else if (j) strange[k] = Math.max(odds(sum(p.slice(0, j)), sum(p.slice(j))) + Math.log(n - 1), 0);
    else strange[k] = Math.min(odds(sum(p.slice(1)), p[0]) - Math.log(n - 1), 0);
  });
  return strange;
}

/** Classes that a confidence leaves possible; the most probable one is always among them. */
function setOf(probabilities, limit) {
  const best = probabilities.indexOf(Math.max(...probabilities));
  const strange = strangeness(probabilities);
  return strange.flatMap((s, k) => (limit === null || s <= limit || k === best ? [k] : []));
}

function showSet(probabilities) {
  const whole = state.size === sizes[sizes.length - 1];
  const rows = Object.entries(about.limits).map(([level, limit]) => {
    const set = whole ? setOf(probabilities, limit) : null;
    const text = set === null ? "not known for fewer nodes" : set.map((k) => about.classes[k]).join(", ");
    const row = make("tr");
    const label = make("th", "", `${Math.round(100 * level)} %`);
    label.scope = "row";
    row.append(label, put(make("td"), text, set === null ? "" : set.join(" ")));
    return row;
  });
  el("set").replaceChildren(...rows);
}
