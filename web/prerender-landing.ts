import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Plugin, Rolldown } from "vite";
import { closureOf } from "./first-requests.ts";
import { BrandMark } from "./src/ui/brand-mark.tsx";
import { LandingPage } from "./src/areas/site/landing/landing-page.tsx";

/** In landing.html. */
const PLACE = "<!-- landing page -->";
/** In index.html. */
const LOGO_PLACE = "<!-- logo -->";
const FONT_PLACE = "<!-- first font -->";
const APP_PLACE = '["src/main.tsx"]';

/**
 * Draws the landing page into its document, so that it needs no script to be read. The server fills in what only it knows:
 * the partners, the demo's figures and the addresses. The logo of the application's first frame is drawn the same way.
 */
export const prerenderLanding: Plugin = {
  name: "prerender-landing",
  transformIndexHtml: {
    // Before Vite looks for the files that the page refers to.
    order: "pre",
    handler: (html) =>
      html
        .replace(PLACE, () => renderToStaticMarkup(createElement(LandingPage)))
        .replace(LOGO_PLACE, () => renderToStaticMarkup(createElement(BrandMark))),
  },
  /** The development server has it at the same address as the platform. */
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _reply, next) => {
      if (/^\/(\?|$)/.test(request.url ?? "")) request.url = `/landing.html${(request.url ?? "").slice(1)}`;
      next();
    });
  },
};

/**
 * Names the built files that the page refers to in ways that Vite leaves alone: those behind its links, its font, and the
 * application with its styles. An import would make the page load what every import of Vite's needs, 120 KB.
 */
export const landingFiles: Plugin = {
  name: "landing-files",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle = {} }) {
      const font = fileOf(bundle, "inter-latin-wght-normal.woff2");
      return html
        .replace(APP_PLACE, () => JSON.stringify(appFiles(bundle)))
        .replaceAll(/href="\/src\/([^"]+)"/g, (_, source: string) => `href="/${fileOf(bundle, source)}"`)
        .replace(FONT_PLACE, `<link rel="preload" href="/${font}" as="font" type="font/woff2" crossorigin />`);
    },
  },
};

/** The application's script, and the styles of all that it imports. */
function appFiles(bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((part) => part.type === "chunk");
  const app = chunks.find(({ isEntry, facadeModuleId }) => isEntry && facadeModuleId?.endsWith("/index.html"));
  if (!app) throw new Error("the bundle has no application");
  return [app.fileName, ...[...closureOf(bundle, app)].filter((file) => file.endsWith(".css"))];
}

/** The built file that was made of a source file. Throws if the page shows no such file. */
function fileOf(bundle: Rolldown.OutputBundle, source: string): string {
  const assets = Object.values(bundle).filter((part) => part.type === "asset");
  const found = assets.find(({ originalFileNames }) => originalFileNames.some((name) => name.endsWith(source)));
  if (!found) throw new Error(`nothing was built of ${source}`);
  return found.fileName;
}
