// Tables: sorted by a click on a column, searched by words, the rows drawn as far as needed.

const FIRST = 200; // rows drawn before somebody asks for all
const MANY = 12; // columns: of more, those that say the same in every row are named once, above
const LONG = 40; // characters of a text that needs room
const PROSE = 60; // characters of a text that a phone cannot show beside others
const COLLATOR = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const TABLES = {};

function drawTable(box) {
  const whole = DATA.tables[box.dataset.table];
  if (!whole.rows.length) {
    box.append(element("p", "shared", "None."));
    return;
  }
  const shared = sharedBy(whole);
  const data = { ...whole, columns: whole.columns.filter((column) => !shared.includes(column)) };
  const table = {
    data,
    box,
    order: data.rows.map((_, at) => at),
    texts: data.columns.filter((column) => column.kind === "text").map((column) => column.at[0]),
    words: "",
    facets: [],
    limit: FIRST,
    open: new Set(),
    body: element("tbody"),
    size: element("output", "size"),
    more: element("button", "more"),
  };
  TABLES[box.dataset.table] = table;
  const drawn = element("table", "", element("thead", "", headerRow(table)), table.body);
  drawn.setAttribute("aria-label", box.dataset.name);
  const longest = longestText(table);
  const marked = data.columns.some((column) => column.marks !== undefined);
  box.classList.toggle("narrow", data.columns.length < 8 && longest <= LONG && !marked);
  box.classList.toggle("texts", marked);
  box.classList.toggle("listed", marked || longest > PROSE);
  if (data.rows.length > 8) box.append(toolbar(table));
  const said = shared.filter(({ at }) => data.rows[0][at[0]] !== null && data.rows[0][at[0]] !== "");
  if (said.length) box.append(sharedLine(said, data.rows[0]));
  box.append(element("div", "scroll", drawn), table.more);
  table.more.type = "button";
  table.more.addEventListener("click", () => {
    table.limit = Infinity;
    fill(table);
  });
  for (const column of data.columns) {
    if (column.kind === "interval") column.reach = reachOf(column, data.rows);
  }
  const q = data.columns.find((column) => column.label === "q");
  if (q) sortBy(table, q, "ascending");
  else fill(table);
}

function longestText({ texts, data }) {
  return data.rows.reduce((most, row) => (
    texts.reduce((most, at) => Math.max(most, String(row[at]).length), most)
  ), 0);
}

// Columns of a wide table that need not stand in it.
function sharedBy({ columns, rows }) {
  if (columns.length <= MANY || rows.length < 2) return [];
  return columns.slice(1).filter(({ kind, at }) => (
    kind !== "interval" && rows.every((row) => row[at[0]] === rows[0][at[0]])
  ));
}

function sharedLine(columns, row) {
  const parts = columns.flatMap((column) => [
    " ", element("span", "", `${column.label} `, element("b", "", ...cell(column, row).childNodes)),
  ]);
  return element("p", "shared", "In every row:", ...parts);
}

function headerRow(table) {
  const heads = table.data.columns.map((column) => {
    const button = element("button", "", column.label);
    button.type = "button";
    if (column.meaning) button.title = column.meaning;
    const head = element("th", column.kind, button);
    head.scope = "col";
    head.setAttribute("aria-sort", "none");
    column.head = head;
    button.addEventListener("click", () => {
      const numeric = column.kind !== "text" && column.kind !== "p";
      const first = numeric ? "descending" : "ascending"; // what a reader looks for first
      const other = first === "ascending" ? "descending" : "ascending";
      sortBy(table, column, head.getAttribute("aria-sort") === first ? other : first);
    });
    return head;
  });
  return element("tr", "", ...heads);
}

function sortBy(table, column, direction) {
  for (const other of table.data.columns) other.head.setAttribute("aria-sort", "none");
  column.head.setAttribute("aria-sort", direction);
  const sign = direction === "ascending" ? 1 : -1;
  const at = column.at[0];
  const rows = table.data.rows;
  table.order.sort((a, b) => {
    const [x, y] = [rows[a][at], rows[b][at]];
    if (x === null || y === null) return (x === null) - (y === null); // nothing comes last
    const order = typeof x === "number" && typeof y === "number"
      ? x - y : COLLATOR.compare(String(x), String(y));
    return sign * order || a - b;
  });
  fill(table);
}

function matches(table, row) {
  if (table.facets.some(({ at, value }) => value !== undefined && row[at] !== value)) return false;
  return !table.words
    || table.texts.some((at) => String(row[at] ?? "").toLowerCase().includes(table.words));
}

function fill(table) {
  const { rows } = table.data;
  const found = table.order.filter((at) => matches(table, rows[at]));
  const drawn = found.slice(0, table.limit);
  table.body.replaceChildren(...drawn.flatMap((at) => drawRow(table, at)));
  table.size.textContent = found.length === rows.length
    ? count(rows.length, "row") : `${WHOLE.format(found.length)} of ${count(rows.length, "row")}`;
  table.more.hidden = drawn.length === found.length;
  table.more.textContent = `Show all ${count(found.length, "row")}`;
}

// Shows one row, whatever is being searched for, with its items open.
function reveal(table, at) {
  table.words = "";
  for (const chosen of table.facets) chosen.value = undefined;
  for (const control of table.box.querySelectorAll("input")) control.value = "";
  for (const control of table.box.querySelectorAll("select")) control.value = "-1";
  if (table.order.indexOf(at) >= table.limit) table.limit = Infinity;
  if (table.data.opens[at] !== undefined) table.open.add(at);
  fill(table);
  const row = [...table.body.rows].filter((tr) => tr.className !== "panel")[table.order.indexOf(at)];
  row.scrollIntoView({ block: "start" });
  row.querySelector("button")?.focus({ preventScroll: true });
}
