import { PAGES, type PageName } from "@millrace/contract";
import { escapeHtml } from "@millrace/openrtb";

/** The pages that are written for everybody. Auth forms and everything behind them are for people with an account. */
const LISTED = ["landing", "terms", "eula", "privacy", "copyright"] as const satisfies readonly PageName[];
const HELP = "/help/";
/** The only paths of ours that a search engine may fetch, with what those pages load. */
const OPEN = [...LISTED.map((page) => `${PAGES[page].path}$`), HELP, "/assets/", "/sdk/", "/sitemap.xml"];

/** RFC 9309: everything is closed but the public pages. `$` ends a path, and the longest match counts. */
export const robots = (publicUrl: string): string =>
  [
    "User-agent: *",
    "Disallow: /",
    ...OPEN.map((path) => `Allow: ${path}`),
    "",
    `Sitemap: ${addressOf(publicUrl, "/sitemap.xml")}`,
    "",
  ].join("\n");

/** The public pages by the protocol of sitemaps.org. */
export const sitemap = (publicUrl: string): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...[...LISTED.map((page) => PAGES[page].path), HELP].map(
      (path) => `  <url><loc>${escapeHtml(addressOf(publicUrl, path))}</loc></url>`,
    ),
    "</urlset>",
    "",
  ].join("\n");

/** What search engines read in the landing page's head: its one address, and what the product is (schema.org). */
export function headOf(publicUrl: string): string {
  const url = addressOf(publicUrl, PAGES.landing.path);
  const facts = {
    "@context": "https://schema.org",
    "@type": "SoftwareApplication",
    name: "Millrace",
    url,
    description: "Self-hosted mobile ad mediation: one SDK, a 100 ms auction, and one dashboard.",
    applicationCategory: "BusinessApplication",
    operatingSystem: "Linux, macOS",
    license: "https://www.apache.org/licenses/LICENSE-2.0",
    isAccessibleForFree: true,
  };
  return [
    `<link rel="canonical" href="${escapeHtml(url)}" />`,
    `<meta property="og:url" content="${escapeHtml(url)}" />`,
    // A closing tag in a text would end the element.
    `<script type="application/ld+json">${JSON.stringify(facts).replaceAll("<", "\\u003c")}</script>`,
  ].join("\n    ");
}

const addressOf = (publicUrl: string, path: string): string => new URL(path, publicUrl).href;
