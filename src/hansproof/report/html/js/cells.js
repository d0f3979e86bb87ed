// One cell of a table, by the kind of its column.

const SHORT = 16; // characters of a text that stays on one line

function cell(column, row) {
  const value = row[column.indices[0]];
  const td = element("td", column.kind);
  td.dataset.label = revealHidden(column.label); // shown where there is no room for a header
  td.classList.toggle("blank", value === null || value === "");
  if (value === null) {
    td.append("–");
  } else if (column.kind === "interval") {
    td.append(...interval(column, row));
  } else if (column.kind === "count") {
    td.append(WHOLE.format(value));
  } else if (column.kind === "number") {
    td.append(number(value));
  } else if (column.kind === "p") {
    td.append(isAtFloor(value, row[column.floor]) ? `≤ ${probability(value)}` : probability(value));
  } else {
    td.append(textElement(String(value), row[column.marks]));
    td.classList.toggle("marked", column.marks !== undefined);
    td.classList.toggle("short", String(value).length <= SHORT);
  }
  return td;
}

function interval(column, row) {
  const numbers = column.indices.map((i) => row[i]);
  const [low, high] = numbers;
  if (high === null) return ["–"];
  const text = `${number(low)} – ${number(high)}`;
  if (!isShare(column, row)) return [text];
  return [range(numbers, column.reach, isSignificant(column, row)), text];
}

// Flags may also say what is not significant, so the corrected p and the interval decide as well.
function isSignificant({ indices, flag, q }, row) {
  const [low, high, , chance] = indices.map((i) => row[i]);
  return Boolean(row[flag]) && row[q] <= 0.05 && (low > chance || high < chance);
}

function isShare(column, row) {
  const { indices } = column;
  return indices.length === 4 && indices.every((i) => row[i] !== null && row[i] >= 0 && row[i] <= 1);
}

// From the lowest to the highest share of the table, so that small differences can be seen.
function reachOf(column, rows) {
  const shares = rows.filter((row) => isShare(column, row));
  const ends = column.indices.map((i) => shares.map((row) => row[i])).flat();
  return ends.reduce(([min, max], x) => [Math.min(min, x), Math.max(max, x)], [1, 0]);
}

// The interval on a line over that reach, with a tick where chance is; red if significant.
function range([low, high, middle, chance], [min, max], isRed) {
  const place = (x) => `${100 * (x - min) / (max - min || 1)}%`;
  const bar = element("span", "bar");
  bar.style.left = place(low);
  bar.style.width = place(min + high - low);
  const dot = element("span", "dot");
  dot.style.left = place(middle);
  const tick = element("span", "chance");
  tick.style.left = place(chance);
  const line = element("span", isRed ? "range significant" : "range", bar, tick, dot);
  line.setAttribute("aria-hidden", "true");
  return line;
}
