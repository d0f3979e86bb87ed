// Puts text of a benchmark into the page: as text nodes, never as markup, isolated from the text
// direction, with hidden characters as chips and words marked. Spaces are chips in a mark that
// contains nothing else.

const HIDDEN_CHARS = new RegExp(DATA.hidden, "gu");
const BLANK_CHARS = new RegExp(DATA.blank, "gu");

function element(name, className, ...children) {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.append(...children);
  return node;
}

function codepointLabel(character) {
  if (character === " ") return "space";
  return "U+" + character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
}

function revealHidden(text) {
  return text.replace(HIDDEN_CHARS, (character) => `‹${codepointLabel(character)}›`);
}

function withChips(parent, text, pattern = HIDDEN_CHARS) {
  let cursor = 0;
  for (const match of text.matchAll(pattern)) {
    parent.append(text.slice(cursor, match.index));
    parent.append(element("span", "hidden-character", codepointLabel(match[0])));
    cursor = match.index + match[0].length;
  }
  parent.append(text.slice(cursor));
  return parent;
}

function marked(text) {
  const isBlank = text.replace(BLANK_CHARS, "") === "";
  return withChips(element("mark"), text, isBlank ? BLANK_CHARS : HIDDEN_CHARS);
}

// Shades a word by its share, relative to the largest share in its text.
function shade(share, largest) {
  const span = element("span", "shade");
  span.style.setProperty("--share", String(share / (largest || 1)));
  span.title = `share ${(100 * share).toFixed(1)}%`;
  return span;
}

// Marks count code points, as Python does, not UTF-16 units; marks with a share are shaded.
function textElement(text, marks = []) {
  const container = element("bdi");
  const points = marks.length ? Array.from(text) : [];
  const largest = marks.reduce((max, [, , share = 0]) => Math.max(max, share), 0);
  let cursor = 0;
  for (const [start, end, share] of marks) {
    if (end <= cursor) continue;
    const from = Math.max(start, cursor);
    withChips(container, points.slice(cursor, from).join(""));
    const words = points.slice(from, end).join("");
    container.append(
      share === undefined ? marked(words) : withChips(shade(share, largest), words),
    );
    cursor = end;
  }
  return withChips(container, marks.length ? points.slice(cursor).join("") : text);
}
