import { houseRule } from "./house-rule.ts";

const SETTINGS = "server/src/platform/settings.ts";

export const documentedSettings = houseRule(
  "documented settings",
  "make README's table of settings list exactly the names of server/src/platform/settings.ts",
  (files) => {
    const code = files.find(({ path }) => path === SETTINGS)?.text;
    const readme = files.find(({ path }) => path === "README.md")?.text;
    if (code === undefined || readme === undefined) return [];
    const read = new Set(settingNames(code));
    const told = new Set([...readme.matchAll(/^\| *`([A-Z][A-Z0-9_]*)` *\|/gm)].map(([, name]) => name ?? ""));
    if (read.size === 0) return [`${SETTINGS}: no setting found`];
    return [
      ...[...read].filter((name) => !told.has(name)).map((name) => `README.md does not tell of ${name}`),
      ...[...told].filter((name) => !read.has(name)).map((name) => `README.md tells of ${name}, which is not read`),
    ];
  },
);

/** The names that the settings' schema reads, from its text: running the server's code is more than a gate should do. */
export function settingNames(code: string): string[] {
  const environment = /z\.object\(\{\n([\s\S]*?)\n\}\);/.exec(code)?.[1] ?? "";
  return [...environment.matchAll(/^ {2}([A-Z][A-Z0-9_]*):/gm)].map(([, name]) => name ?? "");
}
