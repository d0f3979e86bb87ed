// Text from a benchmark goes into the page through here: as text nodes, never as markup, kept to
// its own direction, with hidden characters as chips and words marked.

const HIDDEN = new RegExp(DATA.hidden, "gu");

function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

function code(character) {
  return "U+" + character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
}

function visible(text) {
  return text.replace(HIDDEN, (character) => `‹${code(character)}›`);
}

function withChips(parent, text) {
  let cursor = 0;
  for (const found of text.matchAll(HIDDEN)) {
    parent.append(text.slice(cursor, found.index));
    parent.append(element("span", "hidden-character", code(found[0])));
    cursor = found.index + found[0].length;
  }
  parent.append(text.slice(cursor));
  return parent;
}

// Darker where a word has more, beside the most that one of its text has.
function shade(share, most) {
  const made = element("span", "shade");
  made.style.setProperty("--share", String(share / (most || 1)));
  made.title = `share ${(100 * share).toFixed(1)} %`;
  return made;
}

// Marks count characters as Python does, by code points, not by UTF-16 units; with a share they
// are shaded.
function isolated(text, marks = []) {
  const whole = element("bdi");
  const points = marks.length ? Array.from(text) : [];
  const most = marks.reduce((most, [, , share = 0]) => Math.max(most, share), 0);
  let cursor = 0;
  for (const [start, end, share] of marks) {
    if (end <= cursor) continue;
    const from = Math.max(start, cursor);
    withChips(whole, points.slice(cursor, from).join(""));
    const around = share === undefined ? element("mark") : shade(share, most);
    whole.append(withChips(around, points.slice(from, end).join("")));
    cursor = end;
  }
  return withChips(whole, marks.length ? points.slice(cursor).join("") : text);
}
