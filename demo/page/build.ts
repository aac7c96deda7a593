import { copyFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const source = fileURLToPath(new URL(".", import.meta.url));

/** Builds the pages that the platform serves: `/demo/app` (`index.html`), and a format's preview (`preview.html`). */
export async function buildDemoPage(outDir: string): Promise<void> {
  await mkdir(outDir, { recursive: true });
  const copy = (file: string) => copyFile(path.join(source, file), path.join(outDir, file));
  await build({
    entryPoints: ["page.ts", "page.css", "preview.ts", "preview.css"].map((file) => path.join(source, file)),
    outdir: outDir,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    legalComments: "none",
    logLevel: "error",
  });
  // index.html comes last, because its existence marks the build as complete.
  for (const file of ["favicon.svg", "preview.html", "index.html"]) await copy(file);
}
