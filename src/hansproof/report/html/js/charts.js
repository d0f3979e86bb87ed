// Charts: Vega draws them from the rows of the tables. Its expressions are interpreted (`ast`),
// not compiled, so that the page can forbid evaluating strings as code.

// Returns the rows of one split, or all rows, as records.
function chartRows(data, split) {
  const splitIndex = data.names.indexOf("split");
  return data.rows.flatMap((row, i) => {
    if (split !== undefined && revealHidden(row[splitIndex]) !== split) return [];
    const record = { row: i };
    data.names.forEach((name, column) => {
      const value = row[column];
      record[name] = typeof value === "string" ? revealHidden(value) : value;
    });
    return [record];
  });
}

// Colours become variables of the style sheet, which differ in dark mode and on paper.
const COLOURS = new Map(Object.entries(DATA.colours));

function withVariables(spec) {
  return JSON.parse(JSON.stringify(spec, (_, value) => COLOURS.get(value) ?? value));
}

const DRAWN = new Map(); // pane -> promise that resolves when it is drawn
const AXIS = 50; // pixels below a chart

function drawOnce(pane) {
  if (!DRAWN.has(pane)) DRAWN.set(pane, drawChart(pane));
  return DRAWN.get(pane);
}

function inView(pane) {
  const { top, bottom } = pane.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}

// Reserves the approximate height, so that nothing moves when the chart is drawn.
function keepRoom(pane) {
  pane.style.minHeight = `${DATA.charts[pane.dataset.chart].spec.height + AXIS}px`;
}

async function drawChart(pane) {
  const { spec: coloured, table } = DATA.charts[pane.dataset.chart];
  const spec = withVariables(coloured);
  const select = pane.closest("figure").querySelector("select");
  spec.datasets = { ...spec.datasets, rows: chartRows(DATA.tables[table], select?.value) };
  const { view } = await vegaEmbed(pane, spec, {
    mode: "vega-lite", renderer: "svg", actions: false, ast: true, defaultStyle: false,
  });
  pane.style.minHeight = "";
  const show = () => {
    const height = spec.usermeta?.heights?.[select.value]; // where splits differ in their rows
    if (height) view.height(height);
    view.data("rows", chartRows(DATA.tables[table], select.value));
    view.signal("split", select.value).runAsync();
    pane.closest("figure").querySelector(".on-show").textContent = select.value;
  };
  select?.addEventListener("change", show);
  if (select?.selectedIndex > 0) show(); // chosen before the chart was drawn, or restored by the browser
  view.addEventListener("click", (_, mark) => {
    const row = mark?.datum?.row;
    if (DATA.tables[table].opens[row] !== undefined) reveal(TABLES[table], row);
  });
}
