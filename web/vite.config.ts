import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = process.env["MILLRACE_SERVER"] ?? "http://127.0.0.1:8080";
/** Everything that the server answers in development; all else is the page and its sources. */
const CALLS =
  "^/(?!@|node_modules/|src/)(.*\\.json|.*\\.csv|docs|sdk|openrtb2|vast|beacon|demo|healthz)(/.*)?(\\?.*)?$";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // The server replaces this token by a fresh nonce in every page it sends.
  html: { cspNonce: "__CSP_NONCE__" },
  server: {
    proxy: {
      [CALLS]: { target: server, changeOrigin: false },
      // A page and a call share this path: the Accept header decides.
      "/logout": {
        target: server,
        bypass: (request) => (wantsPage(request.headers.accept) ? "/index.html" : undefined),
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
      output: { codeSplitting: { groups: [{ name: "echarts", test: /node_modules\/(echarts|zrender)\// }] } },
    },
  },
});

function wantsPage(accept: string | undefined): boolean {
  return accept?.includes("text/html") ?? false;
}
