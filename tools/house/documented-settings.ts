import { houseRule } from "./house-rule.ts";

const SETTINGS = "server/src/platform/settings.ts";

export const documentedSettings = houseRule(
  "documented settings",
  "make README's table of settings list exactly the names of server/src/platform/settings.ts",
  (files) => {
    const code = files.find(({ path }) => path === SETTINGS)?.text;
    const readme = files.find(({ path }) => path === "README.md")?.text;
    if (code === undefined || readme === undefined) return [];
    const inCode = new Set(settingNames(code));
    const documented = new Set([...readme.matchAll(/^\| *`([A-Z][A-Z0-9_]*)` *\|/gm)].map(([, name]) => name ?? ""));
    if (inCode.size === 0) return [`${SETTINGS}: no setting found`];
    return [
      ...[...inCode].filter((name) => !documented.has(name)).map((name) => `README.md does not document ${name}`),
      ...[...documented]
        .filter((name) => !inCode.has(name))
        .map((name) => `README.md documents ${name}, which is never read`),
    ];
  },
);

/** The settings' names, parsed from the schema's source text: a gate does not run server code. */
export function settingNames(code: string): string[] {
  const environment = /z\.object\(\{\n([\s\S]*?)\n\}\);/.exec(code)?.[1] ?? "";
  return [...environment.matchAll(/^ {2}([A-Z][A-Z0-9_]*):/gm)].map(([, name]) => name ?? "");
}
