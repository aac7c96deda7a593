import type { Plugin } from "vite";

/** In the pages' heads, above their styles. */
const PLACE = "<!-- colour scheme -->";

/** Sets the colour scheme before the first paint, so that a dark page never flashes white. */
export const colourScheme: Plugin = {
  name: "colour-scheme",
  transformIndexHtml: {
    order: "post",
    handler: (html) => html.replace(PLACE, () => `<script nonce="__CSP_NONCE__">(${setScheme.toString()})()</script>`),
  },
};

/** Runs in the page, as text: it refers to nothing outside itself. */
function setScheme(): void {
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem("millrace-color-scheme");
  } catch {
    // The browser keeps nothing for this page, so nothing was chosen.
  }
  const isDark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset["mantineColorScheme"] = isDark ? "dark" : "light";
}
