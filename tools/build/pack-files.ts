import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
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
