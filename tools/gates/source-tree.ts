import { readFile, readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/** A file of the project, its path relative to the root and with forward slashes. */
export interface SourceFile {
  path: string;
  text: string;
}

const SKIPPED_FOLDERS = new Set(["node_modules", "dist", ".git", ".cache", "coverage"]);
const SKIPPED_PATHS = new Set(["data", "tools/planted"]);
const TEXT = /\.(?:ts|tsx|js|mjs|cjs|json|md|sql|css|html|yml|yaml|sh|kts?)$|(?:^|\/)\.ci\/run$/;

/** Every path below `root` that belongs to the project, without build output and planted violations. */
export async function sourcePaths(root: string): Promise<string[]> {
  const found: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = relative(root, join(folder, entry.name)).split(sep).join("/");
      if (entry.isDirectory()) {
        if (!SKIPPED_FOLDERS.has(entry.name) && !SKIPPED_PATHS.has(path)) await visit(join(folder, entry.name));
      } else if (entry.isFile()) found.push(path);
    }
  };
  await visit(root);
  return found.toSorted();
}

/** The text files below `root`, with their contents. */
export async function sourceFiles(root: string): Promise<SourceFile[]> {
  const paths = (await sourcePaths(root)).filter((path) => TEXT.test(path));
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(root, path), "utf8") })));
}

/** Whether a path is TypeScript source; declaration files are not. */
export function isCode(path: string): boolean {
  return /\.tsx?$/.test(path) && !path.endsWith(".d.ts");
}

export function isTest(path: string): boolean {
  return /\.(?:test|spec)\.tsx?$/.test(path) || /(?:^|\/)testing\//.test(path);
}
