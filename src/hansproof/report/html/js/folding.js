// Folded parts open when a link leads to them, and on paper, which cannot be clicked.

function openTarget(hash = location.hash) {
  let id = hash.slice(1);
  try { id = decodeURIComponent(id); } catch { return; }  // not an address of this page
  const target = document.getElementById(id);
  const details = target?.closest("details");
  if (details) details.open = true;
}

// A link whose address is already in the address bar opens its target as well. A link to a row of a
// table opens its items.
function openOnClick(event) {
  const link = event.target.closest?.("a[href^='#']");
  if (!link) return;
  openTarget(link.hash);
  const table = TABLES[link.hash.slice(1)];
  if (!table || link.dataset.row === undefined) return;
  event.preventDefault(); // the row is scrolled to, not its table
  reveal(table, Number(link.dataset.row));
}

let openedForPrint = [];

function unfold() {
  openedForPrint = [...document.querySelectorAll("details.details:not([open]), .not-tested:not([open])")];
  for (const details of openedForPrint) details.open = true;
}

function fold() {
  for (const details of openedForPrint) details.open = false;
}
