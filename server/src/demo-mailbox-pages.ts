import { escapeHtml } from "@millrace/openrtb";
import { BRAND_NAME, LIGHT, brandStyle, brandSvg } from "./platform/brand.ts";
import type { KeptMail } from "./platform/mail/index.ts";

const STYLE = `
${brandStyle()}
body { margin: 0; background: var(--page); color: var(--ink); font: 14px/1.5 Inter, "Helvetica Neue", Arial, sans-serif; }
header { border-bottom: 1px solid var(--line); background: var(--panel); }
header div, main { margin: 0 auto; max-width: 800px; padding: 12px 16px; }
header div { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 18px; }
header a { color: var(--ink-2); text-decoration: none; }
header a:hover { text-decoration: underline; }
header .brand { display: flex; align-items: center; gap: 8px; margin-right: auto; color: var(--ink); font-size: 15px; font-weight: 650; }
header svg { stroke: var(--accent-line); }
a { color: var(--accent); border-radius: 4px; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
h1 { font-size: 18px; line-height: 1.35; margin: 12px 0 6px; overflow-wrap: anywhere; }
p, dl { margin: 0 0 14px; color: var(--ink-2); }
ul, .panel { border: 1px solid var(--line); border-radius: 10px; background: var(--panel); }
ul { list-style: none; margin: 0; padding: 0 16px; }
li { padding: 11px 0; overflow-wrap: anywhere; color: var(--ink-2); }
li + li { border-top: 1px solid var(--line); }
li a { display: block; font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 16px; overflow-wrap: anywhere; }
dd { margin: 0; color: var(--ink); }
iframe { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; box-sizing: border-box; height: 520px; width: 100%; }
pre { border: 1px solid var(--line); border-radius: 10px; background: var(--panel); color: var(--ink); overflow-wrap: anywhere; padding: 16px; white-space: pre-wrap; }
summary { cursor: pointer; padding: 8px 0; color: var(--accent); font-weight: 600; }
.panel { padding: 20px 16px; text-align: center; }
`;

/** On every page: the way back to the dashboard. */
const HEADER = `<header><div>
<a class="brand" href="/">${brandSvg(22, LIGHT.accentLine)} ${BRAND_NAME}</a>
<a href="/demo/mail">Mailbox</a>
<a href="/">Open the dashboard</a>
</div></header>`;

/** The list of mails. */
export function mailboxPage(mails: readonly KeptMail[]): string {
  const items = mails.map(
    ({ id, subject, to, date }) =>
      `<li><a href="/demo/mail/${encodeURIComponent(id)}">${escapeHtml(subject === "" ? "(no subject)" : subject)}</a>
to ${escapeHtml(to)}, ${timeHtml(date)}</li>`,
  );
  const list = items.length > 0 ? `<ul>\n${items.join("\n")}\n</ul>` : '<p class="panel">No mails yet.</p>';
  return page(
    "Mailbox",
    `<main>
<h1>Mailbox</h1>
<p>This demo sends no mail. The mails that it would have sent are listed here, newest first. Reload to see new ones.</p>
${list}
</main>`,
  );
}

/** One mail, as HTML in a sandboxed frame and as text. */
export function mailPage({ subject, to, date, text, html, attachments }: KeptMail): string {
  const files = attachments.length === 0 ? "" : `<dt>Attached</dt><dd>${escapeHtml(attachments.join(", "))}</dd>`;
  const title = subject === "" ? "(no subject)" : subject;
  return page(
    title,
    `<main>
<nav><a href="/demo/mail">All mails</a></nav>
<h1>${escapeHtml(title)}</h1>
<dl><dt>To</dt><dd>${escapeHtml(to)}</dd><dt>Sent</dt><dd>${timeHtml(date)}</dd>${files}</dl>
<iframe title="The mail" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(html)}"></iframe>
<details><summary>As text</summary><pre>${escapeHtml(text)}</pre></details>
</main>`,
  );
}

const page = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} - Millrace demo</title>
<style>${STYLE}</style>
</head>
<body>
${HEADER}
${body}
</body>
</html>
`;

function timeHtml(iso: string): string {
  return `<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}
