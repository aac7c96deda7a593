import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { isCall } from "./dev-calls.ts";

const server = process.env["MILLRACE_SERVER"] ?? "http://127.0.0.1:8080";
const LIBRARIES = /node_modules\/(react|react-dom|scheduler|@tanstack|use-sync-external-store|zod)\//;
/** Our small parts; those that stand on large ones of a library, forms and dialogs, stay where they are asked for. */
const OWN_PARTS = [
  /\/packages\/(contract|units)\/src\//,
  /\/web\/src\/ui\/((bubble|fields|notify|number|pager|states|table|tiles)\/|[^/]+$)/,
  /\/web\/src\/shared\/((apps|filters)\/)?[^/]+$/,
];
const MOST_PAGES = 3;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // The server replaces this token by a fresh nonce in every page it sends.
  html: { cspNonce: "__CSP_NONCE__" },
  server: {
    proxy: {
      "^/": {
        target: server,
        changeOrigin: false,
        bypass: ({ url = "/", headers }) => (isCall(url, headers.accept) ? undefined : url),
      },
    },
  },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // A data: address would need a wider policy than 'self'.
    assetsInlineLimit: 0,
    target: "es2023",
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "echarts", test: /node_modules\/(echarts|zrender)\// },
            // Every page needs these, and a new version of ours has them as the last one had.
            { name: "libraries", test: LIBRARIES },
            // What most pages are made of comes as one file: a browser fetches six at a time, and would wait for thirty.
            {
              name: "parts",
              test: (id: string) => OWN_PARTS.some((part) => part.test(id)),
              minShareCount: MOST_PAGES,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
});
