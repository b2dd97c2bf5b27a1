// ---------------------------------------------------------------- words, numbers and elements

/** What is chosen now: values by column, size, threshold, costs, and what pictures show. */
const state = {
  row: about.rows[0].values.slice(),
  size: sizes[sizes.length - 1],
  threshold: about.step / about.steps,
  costs: about.costs.slice(),
  output: -1,
  axes: [],
};

/** An element of this part of the page; null where the model has no use for it. */
const el = (name) => document.getElementById(`live-${name}`);

/** A number as people write it: four digits, 18,390, a real minus sign. */
function written(value) {
  const size = Math.abs(value);
  if (Number.isNaN(value)) return "not known";
  if (value !== 0 && (size < 1e-4 || size >= 1e9)) return signed(value.toExponential(3));
  const digits = size >= 999.95 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 4 };
  return signed(value.toLocaleString("en-US", digits));
}

const signed = (text) => text.replaceAll("-", "\u2212");
const inPercent = (share) => (Number.isNaN(share) ? "\u2014" : `${(100 * share).toFixed(1)}\u00a0%`);
const counted = (n, noun) => `${n.toLocaleString("en-US")} ${noun}${n === 1 ? "" : "s"}`;

/** Show a text; the exact value stands beside it, for machines. */
function put(element, text, value) {
  element.textContent = text;
  if (value !== undefined) element.dataset.value = String(value);
  return element;
}

function make(tag, className = "", text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

/** One of the page's colors, as it is now: light and dark differ. */
const paint = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The color of a class; many classes share six. */
const classColor = (k) => `--c${k % 6}`;
