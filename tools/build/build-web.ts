import { rename, rm, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const PACKS = /\.(js|css|svg|json)$/;
/** Below it a packed file saves no packet. */
const SMALLEST_BYTES = 1024;

const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

/** Lays beside every text of a folder what a server sends instead of it: `.br` and `.gz`, packed as small as they go. */
export async function packFiles(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => PACKS.test(name));
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const content = await readFile(path);
      if (content.length < SMALLEST_BYTES) return;
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      };
      await Promise.all([
        asBrotli(content, { params }).then((packed) => writeFile(`${path}.br`, packed)),
        asGzip(content, { level: constants.Z_BEST_COMPRESSION }).then((packed) => writeFile(`${path}.gz`, packed)),
      ]);
    }),
  );
}

/** Builds the dashboard beside the old one and swaps them, so that a running platform always has a whole one. */
export async function buildWeb(root: string): Promise<void> {
  const web = join(root, "web");
  const dist = join(web, "dist");
  const making = join(web, `.dist-making-${process.pid}`);
  const old = join(web, `.dist-old-${process.pid}`);
  // Whoever asks for the build, a test too: with another word here React's slow half for developers is what gets built.
  process.env["NODE_ENV"] = "production";
  try {
    await build({ root: web, logLevel: "warn", build: { outDir: making, emptyOutDir: true } });
    await packFiles(join(making, "assets"));
    await rename(dist, old).catch(() => undefined);
    await rename(making, dist);
  } finally {
    await Promise.all([making, old].map((folder) => rm(folder, { recursive: true, force: true })));
  }
}
