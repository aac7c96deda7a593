import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";

/** Each takes tens of megabytes and a tenth of the start's time, in every process of a platform. */
const LOADED_WHEN_NEEDED = ["fontkit", "mediainfo.js", "pdfkit", "sharp"];

test("the platform starts without the libraries that read pictures and draw documents", async () => {
  const { metafile } = await build({
    absWorkingDir: fileURLToPath(new URL("../..", import.meta.url)),
    entryPoints: ["server/src/main.ts"],
    outdir: "server/dist",
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    write: false,
    metafile: true,
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  const atStart = imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => path);
  expect(atStart).toContain("fastify");
  expect(atStart.filter((path) => LOADED_WHEN_NEEDED.includes(path))).toEqual([]);
});
