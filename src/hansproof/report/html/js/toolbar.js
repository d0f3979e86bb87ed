// Above a table: words to search for, and a selector for every column
// of few texts that come again and again.

const FACETS = 12; // a column with more than these gets none

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
    const values = [...new Set(table.data.rows.map((row) => row[column.at[0]]))];
    if (column.kind === "text" && column.marks === undefined && values.length > 1
      && values.length <= Math.min(FACETS, table.data.rows.length / 2)) {
      bar.append(facet(table, column, values));
    }
  }
  bar.append(table.size);
  return bar;
}

function facet(table, column, values) {
  const chosen = { at: column.at[0], value: undefined };
  table.facets.push(chosen);
  const all = new Option("all", "-1");
  const options = values.map((value, at) => new Option(visible(String(value ?? "")) || "none", at));
  const select = element("select", "", all, ...options);
  select.addEventListener("change", () => {
    chosen.value = values[Number(select.value)]; // none of them at -1, which means all
    fill(table);
  });
  return element("label", "facet", column.label, " ", select);
}
