// Draws tables first, then the charts in view; the others when they are scrolled to or when the
// browser is idle, since printing needs them all.

const PANES = [...document.querySelectorAll("[data-chart]")];

function reportDrawn(drawn) {
  document.documentElement.dataset.drawn = drawn;
}

function idle() {
  return new Promise((go) => (window.requestIdleCallback ?? setTimeout)(go));
}

async function drawAll() {
  await Promise.all(PANES.filter(inView).map(drawOnce));
  reportDrawn("in view");
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) drawOnce(target);
  }, { rootMargin: "50%" });
  for (const pane of PANES) observer.observe(pane);
  for (const pane of PANES) {
    await idle();
    await drawOnce(pane);
  }
  observer.disconnect();
  reportDrawn("all");
}

for (const box of document.querySelectorAll("[data-table]")) drawTable(box);
for (const details of document.querySelectorAll("[data-evidence]")) drawEvidence(details);
for (const box of document.querySelectorAll(".command")) addCopyButton(box);
for (const pane of PANES) keepRoom(pane);
addEventListener("hashchange", () => openTarget());
addEventListener("click", openOnClick);
addEventListener("beforeprint", unfold);
addEventListener("afterprint", fold);
openTarget();
drawAll();
