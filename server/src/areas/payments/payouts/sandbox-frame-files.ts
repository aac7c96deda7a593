/** Matches the look of the surrounding page, in light and dark. */
export const FRAME_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#85979f, #5d747e); --ink-2: light-dark(#4a606a, #9fb5bd); --accent: light-dark(#07728f, #38c3e4); }
body { margin: 0; padding: 2px; background: light-dark(#ffffff, #0f1c22); color: light-dark(#0d1f26, #e6f1f4); font: 13px/1.5 "Inter Variable", Inter, "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere; }
form { max-width: 460px; }
p { margin: 0 0 8px; }
fieldset { border: 0; margin: 12px 0 8px; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 20px; }
legend { color: var(--ink-2); font-size: 12.5px; font-weight: 550; padding: 0; margin-bottom: 4px; }
[type=radio] { accent-color: var(--accent); }
label { min-height: 24px; }
.field { color: var(--ink-2); display: block; font-size: 12.5px; font-weight: 550; margin-top: 14px; }
.field input { background: none; border: 1px solid var(--line); border-radius: 7px; box-sizing: border-box; color: light-dark(#0d1f26, #e6f1f4); display: block; font: inherit; font-size: 13px; font-weight: 400; margin-top: 4px; min-height: 36px; padding: 4px 10px; width: 100%; }
.field input[aria-invalid=true] { border-color: light-dark(#b3261e, #ff8a80); }
.error { color: light-dark(#b3261e, #ff8a80); margin: 2px 0 0; min-height: 0; }
button { background: #087a9a; border: 0; border-radius: 7px; color: #ffffff; cursor: pointer; font: inherit; font-weight: 600; margin-top: 14px; min-height: 36px; padding: 4px 16px; }
button[disabled] { cursor: wait; opacity: 0.7; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
#done { margin-top: 8px; }
`;

/**
 * Tells the embedding page its height, as Tipalti's frame does, and sends what was entered. It fills any width, so it tells
 * none. A saved change is told too, so that the page reads again how it is paid.
 */
export const FRAME_SCRIPT = `
const tell = (message) => parent.postMessage(message, location.origin);
new ResizeObserver(() => tell({ TipaltiIframeInfo: { height: document.body.offsetHeight } })).observe(document.body);
const form = document.querySelector("form");
const byId = (id) => document.getElementById(id);
const wrong = (field, text) => {
  byId(field + "-error").textContent = text;
  form.elements[field].setAttribute("aria-invalid", text === "" ? "false" : "true");
};
form.addEventListener("change", ({ target }) => {
  if (target.name !== "method") return;
  byId("account-label").textContent = target.value === "bank" ? "IBAN" : "E-mail address of the PayPal account";
  wrong("account", "");
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  if (button.disabled) return;
  button.disabled = true;
  byId("done").textContent = "";
  for (const field of ["holder", "account"]) wrong(field, "");
  try {
    const reply = await fetch(location.href, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(Object.fromEntries(new FormData(form))),
    });
    const { error, method } = await reply.json();
    if (reply.ok) {
      byId("method").textContent = method;
      form.elements.holder.value = form.elements.account.value = "";
      byId("done").textContent = "Your payout details are saved.";
      tell({ payoutDetails: "saved" });
    } else if (typeof error === "object") {
      for (const field of ["holder", "account"]) wrong(field, error[field] ?? "");
      form.querySelector("[aria-invalid=true]")?.focus();
    } else {
      byId("done").textContent = error;
    }
  } catch {
    byId("done").textContent = "There was an error with your request, please try again";
  }
  button.disabled = false;
});
`;
