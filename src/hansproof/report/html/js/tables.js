// Tables: sorted by a click on a column, searched by words, the rows drawn as far as needed.

const FIRST = 200; // rows drawn before the reader asks for all
const MANY = 12; // columns: in wider tables, constant columns are listed once above
const LONG = 40; // characters of a text that needs room
const PROSE = 60; // characters of a text that a phone cannot show beside others
const COLLATOR = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const TABLES = {};

function drawTable(box) {
  const allData = DATA.tables[box.dataset.table];
  const shared = sharedBy(allData);
  const data = { ...allData, columns: allData.columns.filter((column) => !shared.includes(column)) };
  const table = {
    data,
    box,
    order: data.rows.map((_, i) => i),
    texts: data.columns.filter((column) => column.kind === "text").map((column) => column.indices[0]),
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
  const filled = shared.filter(({ indices: [i] }) => data.rows[0][i] !== null && data.rows[0][i] !== "");
  if (filled.length) box.append(sharedLine(filled, data.rows[0]));
  const scroll = element("div", "scroll", drawn);
  box.append(scroll, table.more);
  new ResizeObserver(() => markScrolling(scroll, box.dataset.name)).observe(scroll);
  new ResizeObserver(() => markScrolling(scroll, box.dataset.name)).observe(drawn);
  table.more.type = "button";
  table.more.addEventListener("click", () => {
    table.limit = Infinity;
    fill(table);
  });
  for (const column of data.columns) {
    if (column.kind === "interval") {
      column.reach = reachOf(column, data.rows);
      column.flag = data.names.indexOf("flag");
      column.q = data.names.indexOf("q");
    }
  }
  const q = data.columns.find((column) => column.label === "q");
  if (q && !data.ordered) sortBy(table, q, "ascending");
  else fill(table);
}

// A box that scrolls can be reached and scrolled with the keyboard.
function markScrolling(scroll, name) {
  const isScrolling = scroll.scrollWidth > scroll.clientWidth || scroll.scrollHeight > scroll.clientHeight;
  const attributes = { tabindex: "0", role: "region", "aria-label": `Table ${name}, can be scrolled` };
  for (const [attribute, value] of Object.entries(attributes)) {
    if (isScrolling) scroll.setAttribute(attribute, value);
    else scroll.removeAttribute(attribute);
  }
}

function longestText({ texts, data }) {
  return data.rows.reduce((longest, row) => (
    texts.reduce((length, i) => Math.max(length, String(row[i]).length), longest)
  ), 0);
}

// Columns of a wide table that have the same value in all rows.
function sharedBy({ columns, rows }) {
  if (columns.length <= MANY || rows.length < 2) return [];
  return columns.slice(1).filter(({ kind, indices: [i] }) => (
    kind !== "interval" && rows.every((row) => row[i] === rows[0][i])
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
      const first = numeric ? "descending" : "ascending"; // the likely first choice
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
  const index = column.indices[0];
  const rows = table.data.rows;
  table.order.sort((a, b) => {
    const [x, y] = [rows[a][index], rows[b][index]];
    if (x === null || y === null) return (x === null) - (y === null); // empty cells last
    const order = typeof x === "number" && typeof y === "number"
      ? x - y : COLLATOR.compare(String(x), String(y));
    return sign * order || a - b;
  });
  fill(table);
}

function matches(table, row) {
  if (table.facets.some(({ index, value }) => value !== undefined && row[index] !== value)) return false;
  return !table.words
    || table.texts.some((i) => String(row[i] ?? "").toLowerCase().includes(table.words));
}

function fill(table) {
  const { rows } = table.data;
  const matching = table.order.filter((i) => matches(table, rows[i]));
  const drawn = matching.slice(0, table.limit);
  table.body.replaceChildren(...drawn.flatMap((i) => drawRow(table, i)));
  table.size.textContent = matching.length === rows.length
    ? count(rows.length, "row") : `${WHOLE.format(matching.length)} of ${count(rows.length, "row")}`;
  table.more.hidden = drawn.length === matching.length;
  table.more.textContent = `Show all ${count(matching.length, "row")}`;
}

// Shows one row with its items open, and clears search and filters.
function reveal(table, index) {
  table.words = "";
  for (const chosen of table.facets) chosen.value = undefined;
  for (const control of table.box.querySelectorAll("input")) control.value = "";
  for (const control of table.box.querySelectorAll("select")) control.value = "-1";
  if (table.order.indexOf(index) >= table.limit) table.limit = Infinity;
  if (table.data.opens[index] !== undefined) table.open.add(index);
  table.box.closest("details").open = true;
  fill(table);
  const row = [...table.body.rows].filter((tr) => tr.className !== "panel")[table.order.indexOf(index)];
  row.scrollIntoView({ block: "start" });
  row.querySelector("button")?.focus({ preventScroll: true });
}
