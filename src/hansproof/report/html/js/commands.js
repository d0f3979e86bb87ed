// A button beside every command that copies it.

function addCopyButton(box) {
  const code = box.querySelector("code");
  const button = element("button", "copy", "Copy");
  button.type = "button";
  button.setAttribute("aria-label", `Copy the command ${code.textContent}`);
  const status = element("span", "copied");
  status.setAttribute("role", "status");
  button.addEventListener("click", async () => {
    status.textContent = (await copyText(code)) ? "Copied" : "Press Ctrl+C";
    setTimeout(() => { status.textContent = ""; }, 4000);
  });
  box.append(button, status);
}

// Where a browser does not let the page copy, the command is selected for the reader to copy.
async function copyText(node) {
  try {
    await navigator.clipboard.writeText(node.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(node);
    return false;
  }
}
