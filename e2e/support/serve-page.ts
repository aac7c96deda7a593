import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Serves a page with a script, bundled from `source`, on its own origin. */
export async function servePage(source: string, body = ""): Promise<{ url: string; close: () => Promise<void> }> {
  const bundle = await build({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL("..", import.meta.url)), loader: "js" },
    bundle: true,
    format: "iife",
    platform: "browser",
    write: false,
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const script = bundle.outputFiles[0]?.text ?? "";
  const server = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html; charset=utf-8");
    response.end(isScript ? script : `<!doctype html><title>Page</title>${body}<script src="/page.js"></script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
