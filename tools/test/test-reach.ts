import { posix } from "node:path";
import { type SourceFile, isCode, isTest } from "../gates/source-tree.ts";

/** How much of a workspace its tests reach: the files that a test imports, directly or through other files. */
export interface Reach {
  workspace: string;
  files: number;
  /** Reached by tests other than browser specs. */
  reached: number;
  /** Reached only by browser specs, which open the built platform. */
  reachedByBrowser: number;
  /** Reached by no test. */
  untested: string[];
}

/** The entries of the built platform that browser specs open: its processes, its pages and the SDK. */
const PLATFORM_ENTRIES = [
  "server/src/main.ts",
  "demo/src/main.ts",
  "web/src/main.tsx",
  "demo/page/page.ts",
  "packages/sdk/src/global.ts",
  "packages/sdk/src/web/frame-page.ts",
];
const BROWSER_SPEC = /\.spec\.tsx?$/;
/** `from "x"`, `import "x"`, `import("x")`, and `new URL("x")` for the files of processes and workers. */
const IMPORTED = /(?:\bfrom\s*|\bimport\s*\(?\s*|\bnew URL\(\s*)"([^"]+)"/g;

/** The reach of every workspace with a named package.json, except `e2e`, which consists of tests. */
export function testReach(files: readonly SourceFile[]): Reach[] {
  const code = new Map(files.filter(({ path }) => isCode(path)).map(({ path, text }) => [path, text]));
  const packages = packagesIn(files);
  const tests = [...code.keys()].filter((path) => isTest(path) && !BROWSER_SPEC.test(path) && !path.startsWith("e2e/"));
  const specs = [...code.keys()].filter((path) => BROWSER_SPEC.test(path));
  const reached = reachedFrom(
    tests.filter((path) => /\.test\.tsx?$/.test(path)),
    code,
    packages,
  );
  const entries = specs.length > 0 ? PLATFORM_ENTRIES.filter((path) => code.has(path)) : [];
  const byBrowser = reachedFrom([...specs, ...entries], code, packages);
  return [...packages.values()]
    .filter(({ folder }) => folder !== "e2e")
    .map(({ folder }) => {
      const sources = [...code.keys()].filter((path) => path.startsWith(`${folder}/`) && !isForTests(path));
      const unreached = sources.filter((path) => !reached.has(path));
      const untested = unreached.filter((path) => !byBrowser.has(path));
      return {
        workspace: folder,
        files: sources.length,
        reached: sources.length - unreached.length,
        reachedByBrowser: unreached.length - untested.length,
        untested,
      };
    })
    .filter(({ files: count }) => count > 0)
    .toSorted((a, b) => a.workspace.localeCompare(b.workspace));
}

/** One line for each workspace. */
export const reachLines = (reaches: readonly Reach[]): string[] =>
  reaches.map(({ workspace, files, reached, reachedByBrowser, untested }) => {
    const percent = Math.floor((100 * (reached + reachedByBrowser)) / files);
    const browser = reachedByBrowser > 0 ? `, ${reachedByBrowser} of them only by browser specs` : "";
    const named = untested.length > 0 ? `; no test reaches ${untested.join(", ")}` : "";
    return `reach ${workspace}: ${percent}% (${reached + reachedByBrowser} of ${files} files${browser})${named}`;
  });

const isForTests = (path: string): boolean => isTest(path) || path.includes("/fixtures/");

interface Package {
  folder: string;
  exports: ReadonlyMap<string, string>;
}

/** The workspaces by package name. */
function packagesIn(files: readonly SourceFile[]): Map<string, Package> {
  const packages = new Map<string, Package>();
  for (const { path, text } of files) {
    if (!path.endsWith("/package.json")) continue;
    const { name, exports = {} } = JSON.parse(text) as { name?: string; exports?: Record<string, string> };
    if (name !== undefined)
      packages.set(name, { folder: posix.dirname(path), exports: new Map(Object.entries(exports)) });
  }
  return packages;
}

function reachedFrom(
  roots: readonly string[],
  code: ReadonlyMap<string, string>,
  packages: ReadonlyMap<string, Package>,
): Set<string> {
  const reached = new Set<string>(roots);
  // Iterating a Set also visits members that are added during the loop.
  for (const path of reached) {
    for (const [, wanted = ""] of (code.get(path) ?? "").matchAll(IMPORTED)) {
      const found = wanted.startsWith(".") ? posix.join(posix.dirname(path), wanted) : exportedFile(wanted, packages);
      if (found !== undefined && code.has(found)) reached.add(found);
    }
  }
  return reached;
}

function exportedFile(wanted: string, packages: ReadonlyMap<string, Package>): string | undefined {
  const [, name = "", rest = ""] = /^(@[^/]+\/[^/]+|[^/]+)(\/.*)?$/.exec(wanted) ?? [];
  const known = packages.get(name);
  const file = known?.exports.get(`.${rest}`);
  return known && file !== undefined ? posix.join(known.folder, file) : undefined;
}
