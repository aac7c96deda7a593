import { escapeHtml } from "@millrace/openrtb";
import { BRAND_NAME, LIGHT } from "../brand.ts";
import type { MailText } from "./mailer.ts";
import { oneLine } from "./message.ts";

export interface MailContent {
  title: string;
  /** One paragraph each; line breaks inside become spaces, so that a user's name cannot imitate a line. */
  lines: readonly string[];
  /** The button's target; an http(s) address. */
  button?: { label: string; url: string };
  /** Why the recipient gets this mail. */
  footer: string;
  /** The footer link; an http(s) address. */
  footerLink?: { label: string; url: string };
}

const BLOCK = "margin:0 0 16px";
const BODY = "margin:0;padding:24px 16px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif";
const BUTTON = `display:inline-block;padding:12px 24px;border-radius:8px;background:${LIGHT.accentFill};color:#ffffff;font-weight:600;text-decoration:none`;
/** Three waves as text, because mail programs show no SVG and load no images. */
const MARK = "\u224b";
const BRAND = `<div style="margin:0 0 24px;font-size:18px;font-weight:700"><span style="color:${LIGHT.accentLine}" aria-hidden="true">${MARK}</span> ${BRAND_NAME}</div>`;

/** The sender, and why this address got the mail: the footer of mails to people. */
export const sentBecause = (sender: { operatorName: string; publicUrl: string }, why: string): string =>
  `${sender.operatorName} runs Millrace at ${new URL(sender.publicUrl).host} and sent you this mail because ${why}.`;

/**
 * A mail as HTML and text, under its title. All texts are escaped. The HTML sets only the colours of mark and button, so
 * it reads on light and dark, and loads nothing. Throws RangeError if the button's target is not http(s).
 */
export function composeMail(content: MailContent): MailText {
  const title = oneLine(content.title);
  // A paragraph stands apart by itself: an empty line of what somebody wrote would be a second gap.
  const lines = content.lines.map(oneLine).filter((line) => line !== "");
  const footer = oneLine(content.footer);
  const button = content.button && { label: oneLine(content.button.label), url: webAddress(content.button.url) };

  const link = content.footerLink && {
    label: oneLine(content.footerLink.label),
    url: webAddress(content.footerLink.url),
  };
  const small = link ? `${footer}\n${link.label}: ${link.url}` : footer;

  const text = [title, ...lines, ...(button ? [`${button.label}:\n${button.url}`] : []), `-- \n${small}`].join("\n\n");
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
</head>
<body style="${BODY}">
<div style="max-width:560px;margin:0 auto">
${BRAND}
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;overflow-wrap:anywhere">${escapeHtml(title)}</h1>
${lines.map((line) => `<p style="${BLOCK};overflow-wrap:anywhere">${escapeHtml(line)}</p>`).join("\n")}
${button ? buttonHtml(button) : ""}
<p style="margin:24px 0 0;padding:16px 0 0;border-top:1px solid #8a8f98;font-size:13px;overflow-wrap:anywhere">${escapeHtml(footer)}${link ? footerLinkHtml(link) : ""}</p>
</div>
</body>
</html>
`;
  return { subject: title, text: `${text}\n`, html };
}

function buttonHtml({ label, url }: { label: string; url: string }): string {
  const link = `href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer"`;
  return `<p style="margin:24px 0"><a ${link} style="${BUTTON}">${escapeHtml(label)}</a></p>
<p style="${BLOCK};font-size:13px">If the button does not work, open this address:<br><span style="overflow-wrap:anywhere">${escapeHtml(url)}</span></p>`;
}

const footerLinkHtml = ({ label, url }: { label: string; url: string }): string =>
  `<br><a href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer">${escapeHtml(label)}</a>`;

function webAddress(text: string): string {
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new RangeError("A mail's button must link to http(s)");
  return url.href;
}
