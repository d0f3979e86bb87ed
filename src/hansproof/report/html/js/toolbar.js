// The toolbar of a table: a search field, and a selector for every column with few different texts.

const FACETS = 12; // a column with more different texts gets no selector

function toolbar(table) {
  const search = element("input", "search");
  search.type = "search";
  search.placeholder = "Search";
  search.setAttribute("aria-label", `Search ${table.box.dataset.name}`);
  search.addEventListener("input", () => {
    table.words = search.value.trim().toLowerCase();
    fill(table);
  });
  const bar = element("div", "toolbar", search);
  for (const column of table.data.columns.slice(1)) {
    const values = [...new Set(table.data.rows.map((row) => row[column.indices[0]]))];
    if (column.kind === "text" && column.marks === undefined && values.length > 1
      && values.length <= Math.min(FACETS, table.data.rows.length / 2)) {
      bar.append(facet(table, column, values));
    }
  }
  bar.append(table.size);
  return bar;
}

function facet(table, column, values) {
  const chosen = { index: column.indices[0], value: undefined };
  table.facets.push(chosen);
  const all = new Option("all", "-1");
  const options = values.map((value, i) => new Option(revealHidden(String(value ?? "")) || "none", i));
  const select = element("select", "", all, ...options);
  select.addEventListener("change", () => {
    chosen.value = values[Number(select.value)]; // undefined at -1, which means all
    fill(table);
  });
  return element("label", "facet", column.label, " ", select);
}
