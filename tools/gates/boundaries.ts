import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Gate } from "./gate.ts";
import { runCommand } from "./run-command.ts";
import { type SourceFile, isCode, isTest, sourceFiles } from "./source-tree.ts";

const CONFIG = fileURLToPath(new URL("../../.dependency-cruiser.mjs", import.meta.url));
const READS_TSX = { NODE_OPTIONS: `--import ${new URL("./swc-reads-tsx.js", import.meta.url).href}` };
const ROOTS = ["packages", "sdks", "server", "web", "demo", "e2e", "bench", "tools"];
const AREA = /^server\/src\/areas\/([^/]+)\//;
const EXCHANGE_FOLDER = /^server\/src\/areas\/exchange\/([^/]+)\//;

interface Cruise {
  modules: { source: string; dependencies: { module: string; resolved: string }[] }[];
  summary: { violations: Violation[] };
}
interface Violation {
  from: string;
  to: string;
  rule: { name: string };
}

export const boundaries: Gate = {
  name: "import boundaries",
  fix: "move the code or import the entry point that the rule names; rules in .dependency-cruiser.mjs",
  async run(root) {
    const roots = ROOTS.filter((folder) => existsSync(join(root, folder)));
    const result = await runCommand(
      "depcruise",
      ["--config", CONFIG, "--output-type", "json", ...roots],
      root,
      READS_TSX,
    );
    let cruise: Cruise;
    try {
      cruise = JSON.parse(result.stdout) as Cruise;
    } catch {
      return { findings: [`dependency-cruiser did not run: ${result.stdout}${result.stderr}`], checked: "nothing" };
    }
    const files = (await sourceFiles(root)).filter(
      ({ path }) => isCode(path) && roots.some((folder) => path.startsWith(`${folder}/`)),
    );
    const cruised = new Set(cruise.modules.map(({ source }) => source));
    const findings = [
      ...cruise.summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} -> ${to}`),
      // Without a TypeScript that it can load, the cruiser reads no file and reports no violation.
      ...files.filter(({ path }) => !cruised.has(path)).map(({ path }) => `dependency-cruiser did not read ${path}`),
      ...cycles("no-cycle", fileGraph(cruise, files)),
      ...cycles("no-area-cycle", graphOf(cruise, AREA)),
      ...cycles("no-exchange-cycle", graphOf(cruise, EXCHANGE_FOLDER)),
      ...files.flatMap(({ path, text }) => contractValues(path, text)),
    ];
    if (files.length === 0) findings.push("no module found");
    return { findings, checked: `${files.length} modules` };
  },
};

function cycles(rule: string, graph: Map<string, Set<string>>): string[] {
  return findCycles(graph).map((cycle) => `${rule}: ${cycle.join(" -> ")}`);
}

/** The imports among groups of files, such as areas; groups can form a cycle although their files do not. */
function graphOf({ modules }: Cruise, group: RegExp): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    const from = group.exec(source)?.[1];
    if (from === undefined || isTest(source)) continue;
    const imported = graph.get(from) ?? new Set();
    for (const { resolved } of dependencies) {
      const to = group.exec(resolved)?.[1];
      if (to !== undefined && to !== from) imported.add(to);
    }
    graph.set(from, imported);
  }
  return graph;
}

/** The static imports of each file, types included. An `import()` runs later and cannot make a cycle. */
function fileGraph({ modules }: Cruise, files: SourceFile[]): Map<string, Set<string>> {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  return new Map(
    modules.map(({ source, dependencies }) => {
      const text = texts.get(source) ?? "";
      const imported = dependencies.filter(({ module }) => text.includes(`"${module}"`) && imports(text, module));
      return [source, new Set(imported.map(({ resolved }) => resolved))];
    }),
  );
}

function imports(text: string, module: string): boolean {
  const end = `"${module.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}";`;
  return new RegExp(`^(?:import |(?:import|export) [^;]*? from )${end}`, "m").test(text);
}

/** A value import of the contract pulls in zod, which alone exceeds the SDK's size limit. */
function contractValues(path: string, text: string): string[] {
  if (!path.startsWith("packages/sdk/src/") || path.includes(".test.")) return [];
  const imports = text.matchAll(/^(?:import|export)\s(?!type\s)[^;]*?from "@millrace\/contract";/gm);
  return [...imports].map(() => `sdk-takes-types-of-the-contract: ${path} must import type from @millrace/contract`);
}

/** The cycles of a graph, each as the names along it with the first one repeated at the end. */
export function findCycles(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (name: string, trail: string[]): void => {
    const seenAt = trail.indexOf(name);
    if (seenAt !== -1) found.push([...trail.slice(seenAt), name]);
    if (seenAt !== -1 || done.has(name)) return;
    for (const next of graph.get(name) ?? []) visit(next, [...trail, name]);
    done.add(name);
  };
  for (const name of graph.keys()) visit(name, []);
  return found;
}
