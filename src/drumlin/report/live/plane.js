// -------------------------------------------------------------------- the boundary on a plane

const WIDTH = 640;
const HEIGHT = 480;
const MOST_WORK = 4e6;
let waiting = 0;

/** Draw soon, once, however many sliders have moved. */
function drawPlane() {
  if (!el("canvas") || waiting) return;
  waiting = requestAnimationFrame(() => {
    waiting = 0;
    paintPlane();
  });
}

/** A grid that is as fine as the model is fast. */
function gridSides() {
  const work = (state.size + 1) * (columns.length + classes.length + 1);
  const across = Math.max(24, Math.min(160, Math.floor(Math.sqrt((MOST_WORK / work) * (4 / 3)))));
  return [across, Math.round((across * HEIGHT) / WIDTH)];
}

/** The two inputs of the plane, with some room around the data. */
function planeAxes() {
  return state.axes.map((i) => {
    const { column, low, high, name } = about.controls[i];
    const room = 0.05 * (high - low);
    return { column, name, low: low - room, span: high - low + 2 * room };
  });
}

/** Answers on the grid, the other inputs as they are chosen. */
function planeAnswers(axes, across, down) {
  const row = state.row.slice();
  return Array.from({ length: across * down }, (_, cell) => {
    row[axes[0].column] = axes[0].low + (axes[0].span * ((cell % across) + 0.5)) / across;
    row[axes[1].column] = axes[1].low + axes[1].span * (1 - (Math.floor(cell / across) + 0.5) / down);
    return predict(row, state.size);
  });
}

/** Color and strength of every cell, and a code that changes where the model changes its mind. */
function planeShades(answers) {
  if (about.classes.length) {
    return answers.map((answer) => {
      const k = classOf(answer);
      const p = answer.scores === null ? 0 : answer.probabilities[k];
      const least = 1 / about.classes.length;
      return { color: classColor(k), alpha: 0.08 + 0.5 * Math.max(0, (p - least) / (1 - least)), code: k };
    });
  }
  const values = answers.map((answer) => (answer.scores === null ? NaN : answer.scores[0]));
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  put(el("plane-range"), `Predictions here: ${written(low)} (pale) to ${written(low + span)} (strong).`);
  return values.map((value) => {
    const share = (value - low) / span;
    return { color: "--c0", alpha: 0.05 + 0.85 * share, code: Math.floor(Math.min(share, 0.999) * 8) };
  });
}

function paintPlane() {
  const axes = planeAxes();
  const [across, down] = gridSides();
  const shades = planeShades(planeAnswers(axes, across, down));
  const pen = el("canvas").getContext("2d");
  const [w, h] = [WIDTH / across, HEIGHT / down];
  const colors = new Map(shades.map(({ color }) => [color, paint(color)]));
  pen.globalAlpha = 1;
  pen.fillStyle = paint("--card");
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  shades.forEach(({ color, alpha }, cell) => {
    const [i, j] = [cell % across, Math.floor(cell / across)];
    const [left, top] = [Math.round(i * w), Math.round(j * h)]; // whole pixels: no seams
    pen.globalAlpha = alpha;
    pen.fillStyle = colors.get(color);
    pen.fillRect(left, top, Math.round((i + 1) * w) - left, Math.round((j + 1) * h) - top);
  });
  paintBorders(pen, shades, across, w, h);
  paintRows(pen, axes);
  describePlane(axes);
}

/** Lines between cells of different codes. */
function paintBorders(pen, shades, across, w, h) {
  pen.globalAlpha = about.classes.length ? 1 : 0.35;
  pen.strokeStyle = paint("--ink");
  pen.lineWidth = about.classes.length ? 2 : 1;
  pen.beginPath();
  shades.forEach(({ code }, cell) => {
    const [i, j] = [cell % across, Math.floor(cell / across)];
    if (i + 1 < across && shades[cell + 1].code !== code) {
      pen.moveTo((i + 1) * w, j * h);
      pen.lineTo((i + 1) * w, (j + 1) * h);
    }
    if (cell + across < shades.length && shades[cell + across].code !== code) {
      pen.moveTo(i * w, (j + 1) * h);
      pen.lineTo((i + 1) * w, (j + 1) * h);
    }
  });
  pen.stroke();
}

/** The rows of the page as points, and the values that are chosen as a cross in a ring. */
function paintRows(pen, axes) {
  const spot = (values) => [
    (WIDTH * (values[axes[0].column] - axes[0].low)) / axes[0].span,
    HEIGHT * (1 - (values[axes[1].column] - axes[1].low) / axes[1].span),
  ];
  pen.globalAlpha = 1;
  pen.lineWidth = 1.5;
  pen.strokeStyle = paint("--card");
  about.rows.forEach(({ values, truth }) => {
    if (axes.some(({ column }) => values[column] === null)) return;
    pen.fillStyle = paint(about.classes.length ? classColor(truth) : "--ink");
    pen.beginPath();
    pen.arc(...spot(values), about.classes.length ? 5 : 3, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
  });
  const [x, y] = spot(state.row);
  [["--card", 6], ["--ink", 2.5]].forEach(([color, width]) => {
    pen.strokeStyle = paint(color);
    pen.lineWidth = width;
    pen.beginPath();
    pen.arc(x, y, 11, 0, 2 * Math.PI);
    pen.moveTo(x - 18, y);
    pen.lineTo(x + 18, y);
    pen.moveTo(x, y - 18);
    pen.lineTo(x, y + 18);
    pen.stroke();
  });
}

function describePlane(axes) {
  const ends = axes.map(({ low, span }) => `${written(low)} to ${written(low + span)}`);
  put(el("across-words"), `\u2192 ${axes[0].name}: ${ends[0]}`);
  put(el("up-words"), `\u2191 ${axes[1].name}: ${ends[1]}`);
  const words = `What the model says where ${axes[0].name} and ${axes[1].name} vary; now: `;
  el("canvas").setAttribute("aria-label", words + el("answer").textContent);
}

/** Values under a pointer on the canvas. */
function pointedAt(event) {
  const box = el("canvas").getBoundingClientRect();
  const shares = [(event.clientX - box.left) / box.width, 1 - (event.clientY - box.top) / box.height];
  return planeAxes().map(({ low, span }, i) => {
    const { step, low: start } = about.controls[state.axes[i]];
    return start + step * Math.round((low + span * shares[i] - start) / step);
  });
}
