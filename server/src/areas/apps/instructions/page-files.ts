/** Matches the look of the surrounding pages, in light and dark. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#e3eaed, #1d2f37); --ink-2: light-dark(#4a606a, #9fb5bd); --accent: light-dark(#07728f, #38c3e4); }
body { margin: 0; padding: 16px; background: light-dark(#ffffff, #0f1c22); color: light-dark(#0d1f26, #e6f1f4); font: 13px/1.5 "Inter Variable", Inter, "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere; }
a { color: var(--accent); }
h1 { font-size: 17px; font-weight: 650; line-height: 1.3; margin: 0 0 8px; }
h2 { font-size: 14px; font-weight: 650; margin: 24px 0 4px; }
p { margin: 0 0 8px; max-width: 76ch; color: var(--ink-2); }
[role=status] { border-inline-start: 3px solid light-dark(#8a5a00, #e5b454); padding-inline-start: 12px; }
[role=tablist] { border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: 2px; margin-top: 16px; }
button { background: none; border: 1px solid light-dark(#85979f, #5d747e); border-radius: 7px; color: inherit; cursor: pointer; font: inherit; font-weight: 550; min-height: 32px; padding: 3px 12px; }
[role=tab] { border: 0; border-bottom: 2px solid transparent; border-radius: 0; color: var(--ink-2); margin-bottom: -1px; min-height: 36px; }
[role=tab][aria-selected=true] { border-bottom-color: var(--accent); color: var(--accent); font-weight: 600; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
pre { background: light-dark(#f6f9fa, #0a1418); border: 1px solid var(--line); border-radius: 8px; margin: 0; overflow-x: auto; overflow-wrap: normal; padding: 12px; padding-inline-end: 92px; }
.copied[data-what=code] { display: block; margin: 8px 0; position: relative; }
.copied[data-what=code] button { background: light-dark(#ffffff, #0f1c22); inset-block-start: 8px; inset-inline-end: 8px; position: absolute; }
@media (max-width: 520px) { pre { padding: 48px 12px 12px; } }
.copied[data-what=key] button { margin-inline-start: 8px; }
p code { overflow-wrap: anywhere; }
code { font: 12.5px/1.55 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
`;

/**
 * Opens the part named by the hash. Messages to the embedding page, restricted to its origin, report the choice:
 * `{type: "hash", hash}`, and `{type: "redirect", url}` for links that leave the frame.
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
  const source = button.parentElement.querySelector("code");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 2000);
    } catch {
      window.getSelection().selectAllChildren(source);
      button.textContent = "Selected: press Ctrl+C";
    }
  });
}
window.addEventListener("hashchange", openByHash);
openByHash();
`;
