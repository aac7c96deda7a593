import { copyFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const source = fileURLToPath(new URL(".", import.meta.url));

/** Builds the page that the platform serves at `/demo/app`: `index.html`, `page.js`, `page.css`, `favicon.svg`. */
export async function buildDemoPage(outDir: string): Promise<void> {
  await mkdir(outDir, { recursive: true });
  const copy = (file: string) => copyFile(path.join(source, file), path.join(outDir, file));
  await build({
    entryPoints: [path.join(source, "page.ts"), path.join(source, "page.css")],
    outdir: outDir,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    legalComments: "none",
    logLevel: "error",
  });
  // index.html comes last, because its existence marks the build as complete.
  for (const file of ["favicon.svg", "index.html"]) await copy(file);
}
