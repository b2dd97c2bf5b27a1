// ------------------------------------------------------------------------------ fewer nodes

/** Show how good the model of the chosen size is. */
function showSize() {
  if (!el("size")) return;
  const place = sizes.indexOf(state.size);
  const entry = about.sizes[place];
  const bytes = counted(entry.bytes, "byte");
  put(el("size-words"), `${counted(entry.size, "node")}, ${bytes}`, entry.size);
  el("size").setAttribute("aria-valuetext", `${counted(entry.size, "node")}, ${bytes}`);
  const body = Object.keys(entry.error).map((name) => {
    const label = make("th", "", name[0].toUpperCase() + name.slice(1));
    label.scope = "row";
    const row = make("tr");
    const shown = [entry.error[name], entry.loo[name], about.baseline[name]].map((value) => {
      if (value === undefined) return make("td", "figure", "\u2014");
      return put(make("td", "figure"), name === "error" ? inPercent(value) : written(value), value);
    });
    row.append(label, ...shown);
    return row;
  });
  el("size-measures").replaceChildren(...body);
  const known = (kind) => about.sizes.map((other) => other[kind][about.measure]);
  const lines = [
    { values: known("error"), color: "--c0", dashes: "none" },
    { values: known("loo"), color: "--c1", dashes: "5 3" },
  ];
  showLines(el("size-chart"), lines, place);
}
