import { copyFile, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { build } from "esbuild";

const source = fileURLToPath(new URL("./src", import.meta.url));
/** The files of renderers; each is complete by itself. */
const RENDERERS = ["html", "vast", "native"];

const common = { bundle: true, minify: true, target: "es2020", legalComments: "none", logLevel: "error" } as const;

/** A renderer's file exports its function as `prepare`. */
const renderer = (name: string, outfile: string) =>
  build({
    ...common,
    format: "esm",
    stdin: {
      contents: `export { ${name}Ad as prepare } from "./${name}-ad.ts"`,
      resolveDir: path.join(source, "renderers"),
    },
    outfile,
  });

/**
 * Builds the files that apps load: `millrace.js` (script tag, global `Millrace`), `millrace.mjs` (import), `core.mjs`
 * (no DOM), the renderers that these load when an ad needs them, and the frame page (`frame.html`, `frame.js`).
 */
export async function buildSdk(outDir: string): Promise<void> {
  await mkdir(outDir, { recursive: true });
  const bundle = (entry: string, file: string, format: "iife" | "esm") =>
    build({ ...common, format, entryPoints: [path.join(source, entry)], outfile: path.join(outDir, file) });
  await Promise.all([
    bundle("global.ts", "millrace.js", "iife"),
    bundle("index.ts", "millrace.mjs", "esm"),
    bundle("core/index.ts", "core.mjs", "esm"),
    bundle("web/read-consent.ts", "consent.mjs", "esm"),
    ...RENDERERS.map((name) => renderer(name, path.join(outDir, `${name}.mjs`))),
    bundle("renderers/frame-page.ts", "frame.js", "iife"),
    copyFile(path.join(source, "renderers/frame.html"), path.join(outDir, "frame.html")),
  ]);
}
