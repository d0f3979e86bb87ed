// The items behind a finding, drawn when the reader opens it.

function evidencePanel(index) {
  const { items, omitted } = DATA.evidence[index];
  const sizes = [count(items.length, "item") + (omitted ? " shown" : "")];
  if (omitted) sizes.push(`${WHOLE.format(omitted)} more in the benchmark, not embedded here`);
  const list = element("div", "items", ...items.map(([index, marks]) => card(index, marks)));
  return element("div", "evidence", element("p", "evidence-size", sizes.join("; ")), list);
}

function card(index, marks) {
  const item = DATA.items[index];
  const article = element("article", "item", element("p", "item-id", textElement(item.id)));
  for (const [name, text] of item.fields) {
    const label = element("span", "field-name", textElement(name), " ");
    article.append(element("p", "field", label, textElement(text)));
  }
  const choices = item.choices.map((text, choice) => {
    const choiceMarks = marks.filter(([of]) => of === choice).map(([, start, end]) => [start, end]);
    const line = element("li", choice === item.answer ? "right" : "", textElement(text, choiceMarks));
    if (choice === item.answer) line.append(element("span", "right-word", " right"));
    return line;
  });
  article.append(element("ol", "choices", ...choices));
  return article;
}

function drawEvidence(details) {
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) {
      details.append(evidencePanel(Number(details.dataset.evidence)));
    }
  });
}
