// ------------------------------------------------------------------------------------- charts

/**
 * Rows of a table, each with a bar: bars begin where zero is.
 * @param {Element} body of the table
 * @param {{label: string, value: number, text: string, color: string}[]} entries
 */
function showBars(body, entries) {
  const low = Math.min(0, ...entries.map((entry) => entry.value));
  const high = Math.max(0, ...entries.map((entry) => entry.value));
  const span = high - low || 1;
  const rows = entries.map((entry) => {
    const row = make("tr");
    const label = make("th", "", entry.label);
    label.scope = "row";
    const bar = make("span", "bar");
    bar.style.setProperty("--from", `${(100 * (Math.min(0, entry.value) - low)) / span}%`);
    bar.style.setProperty("--length", `${(100 * Math.abs(entry.value)) / span}%`);
    bar.style.setProperty("--color", `var(${entry.color})`);
    const track = make("td", "track");
    track.append(bar);
    row.append(label, put(make("td", "figure"), entry.text, entry.value), track);
    return row;
  });
  body.replaceChildren(...rows);
}

/** The same for probabilities: bars are as long as the table where they are 1. */
function showShares(body, labels, shares) {
  const entries = labels.map((label, k) => {
    return { label, value: shares[k], text: inPercent(shares[k]), color: classColor(k) };
  });
  showBars(body, entries);
  body.querySelectorAll(".bar").forEach((bar, k) => {
    bar.style.setProperty("--length", `${100 * shares[k]}%`);
  });
}

const svgElement = (tag, attributes) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  return element;
};

/**
 * Lines over sizes, with a mark at the chosen one.
 * @param {Element} picture an svg element of 320 x 150
 * @param {{values: (number|undefined)[], color: string, dashes: string}[]} lines
 * @param {number} chosen place on the axis
 */
function showLines(picture, lines, chosen) {
  const known = lines.flatMap((line) => line.values.filter((value) => value !== undefined));
  const low = Math.min(0, ...known);
  const high = Math.max(...known, low + 1e-12);
  const last = Math.max(1, about.sizes.length - 1);
  const x = (i) => 44 + (266 * i) / last;
  const y = (value) => 128 - (118 * (value - low)) / (high - low);
  const parts = [low, high].map((value) => {
    const label = { x: 38, y: y(value) + 4, "text-anchor": "end", class: "tick" };
    return put(svgElement("text", label), written(value));
  });
  parts.push(svgElement("path", { d: `M44 ${y(low)}H310`, class: "axis" }));
  parts.push(svgElement("path", { d: `M${x(chosen)} 6V128`, class: "chosen" }));
  [0, about.sizes.length - 1].forEach((i) => {
    const label = { x: x(i), y: 145, "text-anchor": i ? "end" : "start", class: "tick" };
    parts.push(put(svgElement("text", label), counted(about.sizes[i].size, "node")));
  });
  lines.forEach(({ values, color, dashes }) => {
    const points = values.flatMap((value, i) => (value === undefined ? [] : [`${x(i)} ${y(value)}`]));
    const style = `stroke: var(${color}); stroke-dasharray: ${dashes}`;
    if (points.length) parts.push(svgElement("path", { d: `M${points.join("L")}`, class: "line", style }));
    if (values[chosen] === undefined) return;
    const dot = { cx: x(chosen), cy: y(values[chosen]), r: 4, style: `fill: var(${color})` };
    parts.push(svgElement("circle", dot));
  });
  picture.replaceChildren(...parts);
}
