import { rename, rm, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const COMPRESSIBLE = /\.(js|css|svg|json|html)$/;
/** A smaller file already fits into one packet. */
const MIN_BYTES = 1024;

const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

/** Writes a `.br` and a `.gz` copy, at maximum compression, beside every text file of a folder. */
export async function compressFiles(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => COMPRESSIBLE.test(name));
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const content = await readFile(path);
      if (content.length < MIN_BYTES) return;
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      };
      await Promise.all([
        asBrotli(content, { params }).then((compressed) => writeFile(`${path}.br`, compressed)),
        asGzip(content, { level: constants.Z_BEST_COMPRESSION }).then((compressed) =>
          writeFile(`${path}.gz`, compressed),
        ),
      ]);
    }),
  );
}

/** Builds the dashboard in a temporary folder and swaps it in, so that a running platform always serves a complete build. */
export async function buildWeb(root: string): Promise<void> {
  const web = join(root, "web");
  const dist = join(web, "dist");
  const making = join(web, `.dist-making-${process.pid}`);
  const old = join(web, `.dist-old-${process.pid}`);
  // With any other value, such as a test runner's, Vite bundles React's development build.
  process.env["NODE_ENV"] = "production";
  try {
    await build({ root: web, logLevel: "warn", build: { outDir: making, emptyOutDir: true } });
    await compressFiles(join(making, "assets"));
    await rename(dist, old).catch(() => undefined);
    await rename(making, dist);
  } finally {
    await Promise.all([making, old].map((folder) => rm(folder, { recursive: true, force: true })));
  }
}
