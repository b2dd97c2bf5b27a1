// ------------------------------------------------------------------------------ what is moved

/** Show everything that depends on the values. */
function showAll() {
  showAnswer();
  showSize();
  showThreshold();
  drawPlane();
}

/** Digits of a slider's steps, without the noise of their sums. */
const tidy = (value) => Number(value.toPrecision(12));

/** Set one input, and let its slider and its number or its list agree. */
function setInput(i, value) {
  const { column, choices } = about.controls[i];
  state.row[column] = value;
  if (choices) {
    el(`choice-${i}`).value = String(choices.indexOf(value));
    return;
  }
  el(`number-${i}`).value = value === null ? "" : String(value);
  if (value !== null) el(`range-${i}`).value = String(value);
}

/** Take the values of a row. */
function takeRow(number) {
  state.row = about.rows[number].values.slice();
  about.controls.forEach(({ column }, i) => setInput(i, state.row[column]));
  showAll();
}

function listenToInput({ choices }, i) {
  const take = (value) => {
    setInput(i, value);
    showAll();
  };
  if (choices) {
    el(`choice-${i}`).addEventListener("change", (event) => take(choices[Number(event.target.value)]));
    return;
  }
  el(`range-${i}`).addEventListener("input", (event) => take(tidy(Number(event.target.value))));
  el(`number-${i}`).addEventListener("input", (event) => {
    const text = event.target.value;
    state.row[about.controls[i].column] = text === "" ? null : Number(text);
    if (text !== "") el(`range-${i}`).value = text;
    showAll();
  });
}

/** Call with the value whenever an element, if there is one, changes. */
function listen(name, kind, take) {
  if (el(name)) {
    el(name).addEventListener(kind, (event) => {
      take(event.target.value, event);
      showAll();
    });
  }
}

function listenToCost(name, place) {
  listen(name, "input", (value) => {
    if (Number(value) > 0) state.costs[place] = Number(value);
  });
}

function start() {
  about.controls.forEach(listenToInput);
  listen("row", "change", (value) => takeRow(Number(value)));
  listen("reset", "click", () => takeRow(Number(el("row").value)));
  listen("output", "change", (value) => (state.output = Number(value)));
  listen("size", "input", (value) => (state.size = sizes[Number(value)]));
  listen("threshold", "input", (value) => (state.threshold = Number(value) / about.steps));
  listen("take-cheapest", "click", () => {
    el("threshold").value = String(cheapest());
    state.threshold = cheapest() / about.steps;
  });
  listenToCost("alarm-cost", 0);
  listenToCost("miss-cost", 1);
  ["across", "up"].forEach((name, place) => {
    if (el(name)) state.axes[place] = Number(el(name).value);
    listen(name, "change", (value) => (state.axes[place] = Number(value)));
  });
  listen("canvas", "pointerdown", (_, event) => {
    pointedAt(event).forEach((value, i) => setInput(state.axes[i], tidy(value)));
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawPlane);
  el("part").hidden = false;
  takeRow(0);
}

start();
