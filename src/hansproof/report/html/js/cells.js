// One cell of a table, by the kind of its column.

const SHORT = 16; // characters of a text that stays on one line

function cell(column, row) {
  const value = row[column.at[0]];
  const made = element("td", column.kind);
  made.dataset.label = visible(column.label); // where there is no room for a header
  made.classList.toggle("blank", value === null || value === "");
  if (value === null) {
    made.append("–");
  } else if (column.kind === "interval") {
    made.append(...interval(column, row));
  } else if (column.kind === "count") {
    made.append(WHOLE.format(value));
  } else if (column.kind === "number") {
    made.append(number(value));
  } else if (column.kind === "p") {
    made.append(probability(value));
  } else {
    made.append(isolated(String(value), row[column.marks]));
    made.classList.toggle("marked", column.marks !== undefined);
    made.classList.toggle("short", String(value).length <= SHORT);
  }
  return made;
}

function interval(column, row) {
  const [low, high, middle, chance] = column.at.map((at) => row[at]);
  if (high === null) return ["–"];
  const text = `${number(low)} – ${number(high)}`;
  if (!isShare(column, row)) return [text];
  return [range(low, high, middle, chance, column.reach), text];
}

function isShare(column, row) {
  return column.at.length === 4 && column.at.every((at) => row[at] !== null && row[at] >= 0 && row[at] <= 1);
}

// From the lowest to the highest share of the table, so that small differences can be seen.
function reachOf(column, rows) {
  const shares = rows.filter((row) => isShare(column, row));
  const ends = column.at.map((at) => shares.map((row) => row[at])).flat();
  return ends.reduce(([least, most], x) => [Math.min(least, x), Math.max(most, x)], [1, 0]);
}

// The interval on a line over that reach, with a tick where chance is.
function range(low, high, middle, chance, [least, most]) {
  const place = (x) => `${100 * (x - least) / (most - least || 1)}%`;
  const bar = element("span", "bar");
  bar.style.left = place(low);
  bar.style.width = place(least + high - low);
  const dot = element("span", "dot");
  dot.style.left = place(middle);
  const tick = element("span", "chance");
  tick.style.left = place(chance);
  const made = element("span", low > chance || high < chance ? "range away" : "range", bar, tick, dot);
  made.setAttribute("aria-hidden", "true");
  return made;
}
