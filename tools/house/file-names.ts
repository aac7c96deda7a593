import { isCode, isTest } from "../gates/source-tree.ts";
import { houseRule, withoutComments } from "./house-rule.ts";

/** Names that do not say what is inside. */
const EMPTY_NAME = /(?:^|[-./])(?:utils?|common|helpers?|misc|v\d+)(?=[-./]|$)/;
const KEBAB = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/;
/** Files named for their role in an area or a workspace, not for their export. */
const ROLES = new Set([
  "index",
  "main",
  "app",
  "routes",
  "rules",
  "store",
  "stats",
  "rows",
  "api",
  "build",
  "global-setup",
]);
const EXPORT = /^export (?:declare )?(?:async )?(?:abstract )?(?:const|let|function\*?|class|interface|type) (\w+)/gm;

export const fileNames = houseRule(
  "file names",
  "rename the file to its main export in kebab-case, or to its subject",
  (files) =>
    files.flatMap(({ path, text }) => {
      if (!isCode(path)) return [];
      const file = path.slice(path.lastIndexOf("/") + 1).replace(/\.tsx?$/, "");
      if (EMPTY_NAME.test(path)) return [`${path}: the name does not say what is inside`];
      if (!KEBAB.test(file)) return [`${path}: not kebab-case`];
      if (isTest(path) || file.includes(".") || ROLES.has(file)) return [];
      const only = onlyExport(text);
      if (only === null || isAbout(file, kebab(only))) return [];
      return [`${path}: its only export is ${only}, so name it ${kebab(only)}`];
    }),
);

/** The export of a file with exactly one. A file with several is named for their subject. */
function onlyExport(text: string): string | null {
  const names = new Set([...withoutComments(text).matchAll(EXPORT)].map(([, name]) => name ?? ""));
  const [only] = names;
  return names.size === 1 && !/^export (?:\*|\{|default)/m.test(text) && only !== undefined ? only : null;
}

/** Whether the file's name and the export share a word, as `error-handler` and `handleErrors` do. */
function isAbout(file: string, name: string): boolean {
  const words = name.split("-");
  if (words.join("").includes(file.replaceAll("-", ""))) return true;
  return file.split("-").some((word) => words.some((other) => other.slice(0, 3) === word.slice(0, 3)));
}

/** `ClickHouseUrl`, `clickHouseUrl` and `CLICK_HOUSE_URL` all become `click-house-url`. */
function kebab(name: string): string {
  if (/^[A-Z0-9_]+$/.test(name)) return name.toLowerCase().replaceAll("_", "-");
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1-$2")
    .toLowerCase();
}
