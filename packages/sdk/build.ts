import { copyFile, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { build } from "esbuild";

const source = fileURLToPath(new URL("./src", import.meta.url));
const common = { bundle: true, minify: true, target: "es2020", legalComments: "none", logLevel: "error" } as const;

/**
 * Builds the files that apps load: `millrace.js` (script tag, global `Millrace`), `millrace.mjs` (import), `core.mjs`
 * (no DOM), and the frame page (`frame.html`, `frame.js`).
 */
export async function buildSdk(outDir: string): Promise<void> {
  await mkdir(outDir, { recursive: true });
  const bundle = (entry: string, file: string, format: "iife" | "esm") =>
    build({ ...common, format, entryPoints: [path.join(source, entry)], outfile: path.join(outDir, file) });
  await Promise.all([
    bundle("global.ts", "millrace.js", "iife"),
    bundle("index.ts", "millrace.mjs", "esm"),
    bundle("core/index.ts", "core.mjs", "esm"),
    bundle("web/frame-page.ts", "frame.js", "iife"),
    copyFile(path.join(source, "web/frame.html"), path.join(outDir, "frame.html")),
  ]);
}
