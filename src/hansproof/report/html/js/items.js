// The items behind a finding, drawn when somebody opens it.

function evidencePanel(at) {
  const { items, left } = DATA.evidence[at];
  const said = [count(items.length, "item") + (left ? " shown" : "")];
  if (left) said.push(`${WHOLE.format(left)} more in the benchmark, not embedded here`);
  const list = element("div", "items", ...items.map(([place, marks]) => card(place, marks)));
  return element("div", "evidence", element("p", "evidence-size", said.join("; ")), list);
}

function card(place, marks) {
  const item = DATA.items[place];
  const made = element("article", "item", element("p", "item-id", isolated(item.id)));
  for (const [name, text] of item.fields) {
    const label = element("span", "field-name", isolated(name), " ");
    made.append(element("p", "field", label, isolated(text)));
  }
  const choices = item.choices.map((text, choice) => {
    const here = marks.filter(([of]) => of === choice).map(([, start, end]) => [start, end]);
    const line = element("li", choice === item.answer ? "right" : "", isolated(text, here));
    if (choice === item.answer) line.append(element("span", "right-word", " right"));
    return line;
  });
  made.append(element("ol", "choices", ...choices));
  return made;
}

function drawEvidence(details) {
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) {
      details.append(evidencePanel(Number(details.dataset.evidence)));
    }
  });
}
