// Tables first, then the pictures in view; the others when somebody comes near, or when there is
// nothing else to do, for paper wants them all.

const PANES = [...document.querySelectorAll("[data-chart]")];

function said(drawn) {
  document.documentElement.dataset.drawn = drawn;
}

function idle() {
  return new Promise((go) => (window.requestIdleCallback ?? setTimeout)(go));
}

async function drawAll() {
  await Promise.all(PANES.filter(inView).map(drawOnce));
  said("in view");
  const near = new IntersectionObserver((seen) => {
    for (const { isIntersecting, target } of seen) if (isIntersecting) drawOnce(target);
  }, { rootMargin: "50%" });
  for (const pane of PANES) near.observe(pane);
  for (const pane of PANES) {
    await idle();
    await drawOnce(pane);
  }
  near.disconnect();
  said("all");
}

for (const box of document.querySelectorAll("[data-table]")) drawTable(box);
for (const details of document.querySelectorAll("[data-evidence]")) drawEvidence(details);
for (const pane of PANES) keepRoom(pane);
drawAll();
