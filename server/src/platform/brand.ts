/** The product's name, colours and mark where the dashboard's style sheet does not reach: mails, PDF, plain pages. */
export const BRAND_NAME = "Millrace";

/** The light scheme of `web/src/ui/theme/tokens.css`. */
export const LIGHT = {
  page: "#f6f9fa",
  panel: "#ffffff",
  line: "#e3eaed",
  ink: "#0d1f26",
  ink2: "#4a606a",
  ink3: "#586e77",
  accent: "#07728f",
  accentLine: "#0a86a8",
  accentFill: "#087a9a",
  accentWash: "#e2f5fa",
} as const;

/** The same of the dark scheme. */
export const DARK = {
  page: "#0a1418",
  panel: "#0f1c22",
  line: "#1d2f37",
  ink: "#e6f1f4",
  ink2: "#9fb5bd",
  ink3: "#8aa0a9",
  accent: "#38c3e4",
  accentLine: "#2bb8dc",
  accentFill: "#087a9a",
  accentWash: "#0c2f3a",
} as const satisfies Record<keyof typeof LIGHT, string>;

/** The mark's three waves, as a path of SVG in a square of 24. */
export const WAVES = "M2 7c4-4 6 4 10 0s6 4 10 0M2 13c4-4 6 4 10 0s6 4 10 0M2 19c4-4 6 4 10 0s6 4 10 0";

/** The mark as SVG. */
export const brandSvg = (size: number, stroke: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="${stroke}" stroke-width="2.2" stroke-linecap="round" aria-hidden="true"><path d="${WAVES}"/></svg>`;

/** The colours of both schemes as custom properties, for the style sheet of a plain page. */
export const brandStyle = (): string =>
  `:root{color-scheme:light dark;${properties(LIGHT)}}@media (prefers-color-scheme:dark){:root{${properties(DARK)}}}`;

/** The same for a page with a switch of its own, which sets a class on its root. */
export const switchedBrandStyle = (darkClass: string): string =>
  `:root{${properties(LIGHT)}}:root.${darkClass}{${properties(DARK)}}`;

const properties = (colours: Readonly<Record<string, string>>): string =>
  Object.entries(colours)
    .map(([name, colour]) => `--${kebab(name)}:${colour};`)
    .join("");

/** The dashboard's own font for a plain page, at the path where the dashboard serves it. */
export const fontFace = (path: string): string =>
  `@font-face { font-family: "Inter Variable"; src: url("${path}") format("woff2"); font-weight: 100 900; font-display: swap; }`;

/** `accentLine` is `accent-line`, `ink2` is `ink-2`. */
export const kebab = (name: string): string => name.replaceAll(/[A-Z]|\d/g, (part) => `-${part.toLowerCase()}`);
