import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { sdkSources } from "./channel-sources.ts";
import { compileRoku } from "./compile-roku.ts";

/** The earliest time that an archive can name, so that the same sources give the same bytes. */
const NO_TIME = new Date(1980, 0, 1);

/**
 * Writes `roku.zip`: the SDK in BrightScript, to be unpacked in the folder of a channel. Everything is below
 * `components/millrace`, so that it meets no file of the channel's.
 */
export async function buildRokuSdk(outDir: string): Promise<void> {
  const readme = await readFile(new URL("README.md", import.meta.url), "utf8");
  const files = new Map([...(await compileRoku(await sdkSources())), ["components/millrace/README.md", readme]]);
  await mkdir(outDir, { recursive: true });
  const entries = [...files].map(([path, text]) => [path, strToU8(text)] as const);
  await writeFile(join(outDir, "roku.zip"), zipSync(Object.fromEntries(entries), { mtime: NO_TIME, level: 9 }));
}
