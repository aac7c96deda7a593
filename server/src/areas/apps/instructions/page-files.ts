/** Reads as the pages around the frame do, in light and dark. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 16px; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 20px; line-height: 1.3; margin: 0 0 8px; }
h2 { font-size: 16px; margin: 24px 0 4px; }
p { margin: 0 0 8px; max-width: 72ch; }
[role=status] { border-inline-start: 3px solid #b7791f; padding-inline-start: 12px; }
[role=tablist] { border-bottom: 1px solid #8a8f98; display: flex; flex-wrap: wrap; gap: 4px; margin-top: 16px; }
button { background: none; border: 1px solid #8a8f98; border-radius: 6px; color: inherit; cursor: pointer; font: inherit; min-height: 36px; padding: 4px 12px; }
[role=tab] { border-color: transparent; border-radius: 6px 6px 0 0; }
[role=tab][aria-selected=true] { border-color: #8a8f98; border-bottom-color: transparent; font-weight: 600; }
:focus-visible { outline: 2px solid #2f6fed; outline-offset: 2px; }
pre { border: 1px solid #8a8f98; border-radius: 8px; margin: 8px 0; overflow-x: auto; overflow-wrap: normal; padding: 12px; }
code { font: 14px/1.5 ui-monospace, monospace; }
`;

/**
 * Opens the part that the hash names. The page around is told of what was chosen, by messages that no other origin gets:
 * `{type: "hash", hash}`, and `{type: "redirect", url}` for links that lead out of the frame.
 */
export const PAGE_SCRIPT = `
const tabs = [...document.querySelectorAll("[role=tab]")];
const isFramed = window.parent !== window;
const tell = (message) => window.parent.postMessage(message, window.location.origin);

function open(part, takeFocus) {
  for (const tab of tabs) {
    const isOpen = tab.dataset.part === part;
    tab.setAttribute("aria-selected", String(isOpen));
    tab.tabIndex = isOpen ? 0 : -1;
    document.getElementById("part-" + tab.dataset.part).hidden = !isOpen;
    if (isOpen && takeFocus) tab.focus();
  }
}
function openByHash() {
  const asked = window.location.hash.slice(1);
  open(tabs.some((tab) => tab.dataset.part === asked) ? asked : document.body.dataset.first, false);
}
function choose(part, takeFocus) {
  window.history.replaceState(null, "", "#" + part);
  open(part, takeFocus);
  if (isFramed) tell({ type: "hash", hash: "#" + part });
}
for (const [index, tab] of tabs.entries()) {
  tab.addEventListener("click", () => choose(tab.dataset.part, false));
  tab.addEventListener("keydown", ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step) choose(tabs[(index + step + tabs.length) % tabs.length].dataset.part, true);
  });
}
for (const link of document.querySelectorAll("a[data-leave]")) {
  link.addEventListener("click", (event) => {
    if (!isFramed) return;
    event.preventDefault();
    tell({ type: "redirect", url: link.href });
  });
}
for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(button.previousElementSibling.textContent);
      button.textContent = "Copied";
    } catch {
      window.getSelection().selectAllChildren(button.previousElementSibling);
      button.textContent = "Selected: copy it";
    }
  });
}
window.addEventListener("hashchange", openByHash);
openByHash();
`;
