import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { type Plugin, defineConfig } from "vite";
import { colourScheme } from "./colour-scheme.ts";
import { drawnMap } from "./drawn-map.ts";
import { firstRequests } from "./first-requests.ts";
import { landingFiles, prerenderLanding } from "./prerender-landing.ts";

const server = process.env["MILLRACE_SERVER"] ?? "http://127.0.0.1:8080";
const LIBRARIES =
  /node_modules\/(react|react-dom|scheduler|@tanstack|use-sync-external-store|zod|clsx)\/|vite\/preload-helper|\/utils\/noop\//;
/** Small modules of ours. Forms and dialogs need large parts of a library, so they stay in the chunks that use them. */
const OWN_PARTS = [
  /\/packages\/(contract|units)\/src\//,
  /\/web\/src\/ui\/((bubble|fields|notify|number|states|table|tiles)\/|[^/]+$)/,
  /\/web\/src\/shared\/((apps|filters)\/)?[^/]+$/,
];
/** Modules that at least this many pages use go into the chunk of parts. */
const SHARED_BY_PAGES = 8;
/** Modules of the controls that at least this many pages and lazy parts use, such as the base of every button, go into theirs. */
const SHARED_BY_ALL = 34;

/**
 * Leaves out what writes a schema as JSON Schema, and the methods for formats of strings that no schema uses. Every schema of
 * Zod refers to them, so that no bundler can: 7 KB of each first visit.
 */
const withoutUnusedZod: Plugin = {
  name: "without-unused-zod",
  apply: "build",
  transform(code, id) {
    if (/\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/.test(id)) {
      const names = code.matchAll(/^export (?:const|function) (\w+)/gm);
      return Array.from(names, ([, name]) => `export const ${name} = undefined;`).join("\n");
    }
    return id.endsWith("/zod/v4/classic/schemas.js") ? code.replaceAll(UNUSED_METHODS, "") : null;
  },
};
const UNUSED_METHODS =
  /^ {4}(?:jwt|emoji|nanoid|cuid2?|ulid|base64(?:url)?|xid|ksuid|ipv[46]|cidrv[46]|e164)\(params\) \{\n.*\n {4}\},\n/gm;

/** Leaves out what the documentation says of each call, of which no page shows anything. */
const withoutSummaries: Plugin = {
  name: "without-summaries",
  apply: "build",
  transform: (code, id) =>
    id.includes("/packages/contract/src/") ? code.replaceAll(/\bsummary:\s*"(?:[^"\\]|\\.)*"/g, 'summary: ""') : null,
};

/** Paths that the server answers when a browser navigates to them. All other navigation is a page of the dashboard. */
const SERVER_PATHS =
  /^\/(docs|help|files|sdk|demo|openrtb2|vast|beacon|healthz|readyz|servez)(\/|$)|\.(json|csv|pdf|txt)$|\/instruction_iframe$|^\/(login|profile)\/(google|facebook)(\/|$)/;
/** Paths that Vite answers itself: the source modules. */
const VITE_PATHS = /^\/(@|node_modules\/|src\/)/;

/** Whether the development server proxies a request to the platform. */
function isForPlatform(url: string, accept: string | undefined): boolean {
  const { pathname } = new URL(url, "http://localhost");
  if (VITE_PATHS.test(pathname)) return false;
  return SERVER_PATHS.test(pathname) || (accept?.includes("application/json") ?? false);
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    withoutUnusedZod,
    withoutSummaries,
    colourScheme,
    drawnMap(),
    firstRequests,
    prerenderLanding,
    landingFiles,
  ],
  // The server replaces this placeholder with a new nonce in every page.
  html: { cspNonce: "__CSP_NONCE__" },
  server: {
    proxy: {
      "^/": {
        target: server,
        changeOrigin: false,
        bypass: ({ url = "/", headers }) => (isForPlatform(url, headers.accept) ? undefined : url),
      },
    },
  },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // A data: URL would need a wider Content-Security-Policy than 'self'.
    assetsInlineLimit: 0,
    target: "es2023",
    // The few browsers without modulepreload load the same modules a little later.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ["index.html", "landing.html"].map((page) => join(import.meta.dirname, page)),
      // A page carries no call or schema of the contract that nothing on it uses.
      treeshake: { manualPureFunctions: ["defineCall", "z"] },
      output: {
        // One letter less than usual, because the list of all files is part of each first visit.
        ...Object.fromEntries(["entry", "chunk"].map((kind) => [`${kind}FileNames`, "assets/[name]-[hash:7].js"])),
        assetFileNames: "assets/[name]-[hash:7][extname]",
        codeSplitting: {
          groups: [
            // Every page needs these, and they stay cached across our releases.
            { name: "libraries", test: LIBRARIES },
            {
              name: "controls",
              test: /node_modules\/@mantine\//,
              minShareCount: SHARED_BY_ALL,
              includeDependenciesRecursively: false,
            },
            // The modules that most pages share are one file, because a browser fetches only six files at a time.
            {
              name: "parts",
              test: (id: string) => OWN_PARTS.some((part) => part.test(id)),
              minShareCount: SHARED_BY_PAGES,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
});
