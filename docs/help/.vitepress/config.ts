import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { forSearch, plainMarkdown } from "./markdown.ts";
import { SIDEBAR } from "./sidebar.ts";

const theme = (file: string) => fileURLToPath(new URL(`theme/${file}`, import.meta.url));

// oxlint-disable-next-line import/no-default-export -- VitePress takes its configuration as the default export
export default defineConfig({
  base: "/help/",
  lang: "en",
  title: "Millrace help",
  description: "How to earn, to advertise and to operate with Millrace",
  cleanUrls: true,
  // The pages' hashes go into a file of their own: an inline script would differ in every build, and our policy allows none.
  metaChunk: true,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: "/help/mark.svg" }]],
  // While it switches colours, the library would write a style element, which our policy forbids.
  appearance: { disableTransition: false },
  markdown: plainMarkdown,
  // The server renders two of Vue's styles as attributes, which the policy forbids; style.css has what they are for.
  transformHtml: (html) => html.replaceAll(/ style="(?:--vp-vh:0px|position:relative);"/g, ""),
  themeConfig: {
    logo: "/mark.svg",
    siteTitle: "Millrace help",
    // Leaves the help for the platform itself.
    nav: [{ text: "Dashboard", link: "/", target: "_self" }],
    sidebar: SIDEBAR,
    outline: { level: [2, 3] },
    search: { provider: "local", options: { _render: forSearch } },
    docFooter: { prev: false, next: false },
    notFound: {
      title: "Page not found",
      quote: "The address may be mistyped, or the page has moved.",
      linkLabel: "go to the start of the help",
      linkText: "Start of the help",
    },
  },
  vite: {
    // A data: URL would need a wider policy for fonts.
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 2000 },
    resolve: {
      alias: [{ find: /^.*\/VPLocalSearchBox\.vue$/, replacement: theme("search-box.vue") }],
    },
  },
});
