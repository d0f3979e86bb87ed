for (const box of document.querySelectorAll("[data-table]")) drawTable(box);
for (const details of document.querySelectorAll("[data-evidence]")) drawEvidence(details);
Promise.all([...document.querySelectorAll("[data-chart]")].map(drawChart)).then(() => {
  document.documentElement.dataset.drawn = "all";
});
