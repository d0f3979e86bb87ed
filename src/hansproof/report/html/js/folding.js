// Folded parts open when a link leads to them, and on paper, which cannot be clicked.

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const details = target?.closest("details");
  if (details) details.open = true;
}

let openedForPrint = [];

function unfold() {
  openedForPrint = [...document.querySelectorAll("details.details:not([open]), .not-tested:not([open])")];
  for (const details of openedForPrint) details.open = true;
}

function fold() {
  for (const details of openedForPrint) details.open = false;
}
