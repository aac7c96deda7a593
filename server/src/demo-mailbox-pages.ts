import { type KeptMail, escapeHtml } from "./platform/mail/index.ts";

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 800px; padding: 24px 16px; font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 24px; line-height: 1.3; margin: 0 0 8px; overflow-wrap: anywhere; }
p, dl { margin: 0 0 16px; }
ul { list-style: none; margin: 0; padding: 0; }
li { border-top: 1px solid #8a8f98; padding: 12px 0; overflow-wrap: anywhere; }
li a { display: block; font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 16px; overflow-wrap: anywhere; }
dd { margin: 0; }
iframe { border: 1px solid #8a8f98; border-radius: 8px; box-sizing: border-box; height: 480px; width: 100%; }
pre { border: 1px solid #8a8f98; border-radius: 8px; overflow-wrap: anywhere; padding: 16px; white-space: pre-wrap; }
summary { cursor: pointer; padding: 8px 0; }
`;

/** The list of mails. */
export function mailboxPage(mails: readonly KeptMail[]): string {
  const items = mails.map(
    ({ id, subject, to, date }) =>
      `<li><a href="/demo/mail/${encodeURIComponent(id)}">${escapeHtml(subject === "" ? "(no subject)" : subject)}</a>
to ${escapeHtml(to)}, ${timeHtml(date)}</li>`,
  );
  const list = items.length > 0 ? `<ul>\n${items.join("\n")}\n</ul>` : "<p>No mails yet.</p>";
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
export function mailPage({ subject, to, date, text, html }: KeptMail): string {
  const title = subject === "" ? "(no subject)" : subject;
  return page(
    title,
    `<nav><p><a href="/demo/mail">All mails</a></p></nav>
<main>
<h1>${escapeHtml(title)}</h1>
<dl><dt>To</dt><dd>${escapeHtml(to)}</dd><dt>Sent</dt><dd>${timeHtml(date)}</dd></dl>
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
${body}
</body>
</html>
`;

function timeHtml(iso: string): string {
  return `<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}
