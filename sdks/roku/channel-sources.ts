import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The files of a folder of this SDK by their path in the channel, sorted, so that the same files make the same archive. */
export async function channelSources(folder: string, prefix = ""): Promise<Map<string, string>> {
  const root = fileURLToPath(new URL(folder, import.meta.url));
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"))
    .toSorted();
  const texts = await Promise.all(files.map((file) => readFile(path.join(root, file), "utf8")));
  return new Map(files.map((file, index) => [prefix + file, texts[index] ?? ""]));
}

/** The SDK, as it is in a channel. */
export const sdkSources = (): Promise<Map<string, string>> => channelSources("components", "components/");
