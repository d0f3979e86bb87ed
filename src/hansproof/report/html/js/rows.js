// A row, and under it, when it is open, the items it is about.

function drawRow(table, index) {
  const { columns, rows, opens } = table.data;
  const row = element("tr", "", ...columns.map((column) => cell(column, rows[index])));
  const evidence = opens[index];
  if (evidence === undefined) return [row];
  const opener = element("button", "opener", ...row.cells[0].childNodes);
  opener.type = "button";
  opener.title = "Show the items";
  row.cells[0].append(opener);
  row.classList.add("opens");
  const drawn = [row];
  const toggle = () => {
    const open = table.open.has(index);
    opener.setAttribute("aria-expanded", String(open));
    if (open) row.after(panelRow(columns.length, evidence));
    else if (row.nextElementSibling?.className === "panel") row.nextElementSibling.remove();
  };
  opener.addEventListener("click", () => {
    if (!table.open.delete(index)) table.open.add(index);
    toggle();
  });
  opener.setAttribute("aria-expanded", String(table.open.has(index)));
  if (table.open.has(index)) drawn.push(panelRow(columns.length, evidence));
  return drawn;
}

function panelRow(width, evidence) {
  const inside = element("td", "", evidencePanel(evidence));
  inside.colSpan = width;
  return element("tr", "panel", inside);
}
