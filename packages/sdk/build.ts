import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { minify } from "@swc/core";
import { build } from "esbuild";
import { OWN_NAMES } from "./own-names.ts";

const source = fileURLToPath(new URL("./src", import.meta.url));
/** The files of renderers; each is complete by itself. */
const RENDERERS = ["html", "mraid", "vast", "native"];

/** What the debugger's test ads show. */
const TEST_MEDIA = ["test.mp4", "test.svg"];

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

/** Minifies a file with swc: that saves one byte in twenty. */
async function minified(file: string, module: boolean): Promise<void> {
  const compress = { passes: 8, ecma: 2020, unsafe_arrows: true } as const;
  const options = { module, toplevel: true, compress, mangle: true } as const;
  const { code } = await minify(await readFile(file, "utf8"), { ...options, ecma: 2020 });
  await writeFile(file, code);
}

/**
 * Builds the files that apps load: `millrace.js` (script tag, global `Millrace`), `millrace.mjs` (import), `core.mjs`
 * (no DOM), the renderers that these load when an ad needs them, and the frame page (`frame.html`, `frame.js`).
 */
export async function buildSdk(outDir: string): Promise<void> {
  await mkdir(outDir, { recursive: true });
  /** What every page loads. */
  async function wholeSdk(entry: string, file: string, format: "iife" | "esm"): Promise<void> {
    const outfile = path.join(outDir, file);
    const mangleProps = new RegExp(`^(${OWN_NAMES.join("|")})$`);
    await build({ ...common, minify: false, mangleProps, format, entryPoints: [path.join(source, entry)], outfile });
    await minified(outfile, format === "esm");
  }
  const bundle = (entry: string, file: string, format: "iife" | "esm") =>
    build({ ...common, format, entryPoints: [path.join(source, entry)], outfile: path.join(outDir, file) });
  await Promise.all([
    wholeSdk("global.ts", "millrace.js", "iife"),
    wholeSdk("index.ts", "millrace.mjs", "esm"),
    bundle("core/index.ts", "core.mjs", "esm"),
    bundle("web/read-consent.ts", "consent.mjs", "esm"),
    bundle("steps/order-steps.ts", "steps.mjs", "esm"),
    bundle("debugger/open-debugger.ts", "debugger.mjs", "esm").then(() =>
      minified(path.join(outDir, "debugger.mjs"), true),
    ),
    ...TEST_MEDIA.map((file) => copyFile(path.join(source, "../media", file), path.join(outDir, file))),
    ...RENDERERS.map((name) => renderer(name, path.join(outDir, `${name}.mjs`))),
    bundle("renderers/frame-page.ts", "frame.js", "iife"),
    copyFile(path.join(source, "renderers/frame.html"), path.join(outDir, "frame.html")),
  ]);
}
