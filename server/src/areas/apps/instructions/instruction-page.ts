import { PLATFORMS_WITHOUT_KEYS, SDK_STATUS_TEXTS } from "@millrace/contract";
import { escapeHtml } from "@millrace/openrtb";
import { fontFace } from "../../../platform/brand.ts";
import type { App } from "../store.ts";
import { type Part, instructionParts, type Step } from "./instruction-parts.ts";
import { PAGE_SCRIPT, PAGE_STYLE } from "./page-files.ts";

/**
 * The page in the settings frame: a tab for each platform, opened by the address's hash. All app data is escaped, and
 * only script and style with this reply's nonce run.
 */
export function instructionPage(page: {
  app: Pick<App, "uuid" | "name" | "platform" | "moderation">;
  publicUrl: string;
  bidders: readonly string[];
  /** The path of the dashboard's font; null if it is not built. */
  fontPath: string | null;
  nonce: string;
}): string {
  const { app, publicUrl, bidders, fontPath, nonce } = page;
  const parts = instructionParts({ key: app.uuid, publicUrl }, app.platform, bidders);
  const isFirst = ({ id }: Part) => id === app.platform;
  const name = escapeHtml(app.name);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Instructions for ${name}</title>
<style nonce="${nonce}">${fontPath === null ? "" : fontFace(fontPath)}${PAGE_STYLE}</style>
</head>
<body data-first="${app.platform}">
<main>
<h1>Add ads to ${name}</h1>
<p>The app's key: ${withCopy(`<code id="key">${escapeHtml(app.uuid)}</code>`, "key")}</p>
${app.moderation === "check" ? `<p role="status">${SDK_STATUS_TEXTS.check} It will get ads once it is approved.</p>` : ""}
<p>${keysLink(app)}<a href="/apps/app-ads" data-leave>app-ads.txt</a></p>
<div role="tablist" aria-label="Platforms">
${parts.map((part) => tab(part, isFirst(part))).join("\n")}
</div>
${parts.map((part) => panel(part, isFirst(part))).join("\n")}
</main>
<script nonce="${nonce}">${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

/** Links to the page of keys for the same platforms as the app list does. */
function keysLink({ uuid, platform }: Pick<App, "uuid" | "platform">): string {
  return PLATFORMS_WITHOUT_KEYS.includes(platform)
    ? ""
    : `<a href="/apps/${uuid}/dsp" data-leave>Partners' keys</a> · `;
}

const tab = ({ id, label }: Part, isOpen: boolean) =>
  `<button type="button" role="tab" id="tab-${id}" data-part="${id}" aria-controls="part-${id}" aria-selected="${isOpen}" tabindex="${isOpen ? 0 : -1}">${label}</button>`;

const panel = ({ id, steps }: Part, isOpen: boolean) =>
  `<section role="tabpanel" id="part-${id}" aria-labelledby="tab-${id}"${isOpen ? "" : " hidden"}>
${steps.map(stepHtml).join("\n")}
</section>`;

const stepHtml = ({ title, text, code }: Step) => `<h2>${escapeHtml(title)}</h2>
<p>${withLinks(withCode(escapeHtml(text)))}</p>
${code === undefined ? "" : withCopy(`<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>`, "code")}`;

/** Code in backticks, as code. */
const withCode = (html: string): string => html.replaceAll(/`([^`]+)`/g, "<code>$1</code>");

/** Links to pages of this platform, as in Markdown. */
const withLinks = (html: string): string =>
  html.replaceAll(/\[([^\]]+)\]\((\/[\w/#-]+)\)/g, '<a href="$2" data-leave>$1</a>');

/** What a button copies, and the button, which stays in the upper corner of code. */
function withCopy(html: string, what: "key" | "code"): string {
  const tag = what === "code" ? "div" : "span";
  return `<${tag} class="copied" data-what="${what}">${html}<button type="button" data-copy aria-label="Copy the ${what}">Copy</button></${tag}>`;
}
