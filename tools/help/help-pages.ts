import { readFile, readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { apiPages } from "./api-reference.ts";
import { referenceParts, withParts } from "./reference.ts";

/** The help's Markdown with its generated parts, by address: `/`, `/start/`, `/reasons`. */
export async function helpPages(root: string): Promise<Map<string, string>> {
  const folder = join(root, "docs/help");
  const calls = apiPages();
  const index = [...calls.keys()].map((area) => `- [${area}](/api/${area})`).join("\n");
  const parts = { ...(await referenceParts(root)), "api-index": index };
  const files = (await readdir(folder, { recursive: true })).filter((file) => /^[^.].*\.md$/.test(file));
  const pages = files.map(async (file): Promise<[string, string]> => [
    addressOf(file),
    withParts(await readFile(join(folder, file), "utf8"), parts),
  ]);
  const areas = [...calls].map(([area, text]): [string, string] => [`/api/${area}`, `# Calls: ${area}\n\n${text}\n`]);
  return new Map([...(await Promise.all(pages)), ...areas]);
}

const addressOf = (file: string): string =>
  `/${file
    .split(sep)
    .join("/")
    .replace(/\.md$/, "")
    .replace(/(^|\/)index$/, "$1")}`;

/** The screens whose pictures a page shows. */
export const screensIn = (page: string): string[] =>
  [...page.matchAll(/\]\(screen:(\w+)\)/g)].map(([, screen = ""]) => screen);
