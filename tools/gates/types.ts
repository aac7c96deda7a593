import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Gate } from "./gate.ts";
import { lines, runCommand } from "./run-command.ts";

interface TypeScriptConfig {
  compilerOptions?: object;
  include: string[];
  exclude?: string[];
}

/** The workspaces with code: the folders that match package.json's patterns and have a tsconfig. */
async function typedWorkspaces(root: string): Promise<string[]> {
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { workspaces: string[] };
  const folders = await Promise.all(
    manifest.workspaces.map(async (pattern) => {
      if (!pattern.endsWith("/*")) return [pattern];
      const parent = pattern.slice(0, -2);
      return (await readdir(join(root, parent))).map((name) => `${parent}/${name}`);
    }),
  );
  return folders.flat().filter((folder) => existsSync(join(root, folder, "tsconfig.json")));
}

/**
 * The workspaces in groups with equal compiler options. A group is checked in one go: separately, each workspace would check
 * the files that it imports from others once more.
 */
async function groupsOf(root: string, workspaces: readonly string[]): Promise<string[][]> {
  const groups = new Map<string, string[]>();
  for (const workspace of workspaces) {
    const { compilerOptions } = await readConfig(root, workspace);
    const key = JSON.stringify(compilerOptions);
    groups.set(key, [...(groups.get(key) ?? []), workspace]);
  }
  return [...groups.values()];
}

async function readConfig(root: string, workspace: string): Promise<TypeScriptConfig> {
  return JSON.parse(await readFile(join(root, workspace, "tsconfig.json"), "utf8")) as TypeScriptConfig;
}

/** Writes the configuration of a whole group into `folder`, and returns its path. */
async function writeConfig(root: string, folder: string, group: readonly string[]): Promise<string> {
  const inside = (workspace: string, paths: string[] = []): string[] =>
    paths.map((path) => join(root, workspace, path));
  const configs = await Promise.all(
    group.map(async (workspace) => ({ workspace, ...(await readConfig(root, workspace)) })),
  );
  const path = join(folder, `${group[0]?.replaceAll("/", "-")}.tsconfig.json`);
  const config = {
    extends: join(root, group[0] ?? "", "tsconfig.json"),
    include: configs.flatMap(({ workspace, include }) => inside(workspace, include)),
    exclude: configs.flatMap(({ workspace, exclude }) => inside(workspace, exclude)),
  };
  await mkdir(folder, { recursive: true });
  await writeFile(path, JSON.stringify(config));
  return path;
}

async function typeErrors(root: string, group: readonly string[]): Promise<string[]> {
  // Unchanged files are not checked again. A planted tree has no cache, and one workspace.
  const folder = join(root, "node_modules/.cache/tsc");
  const cached = existsSync(join(root, "node_modules"));
  const config = cached ? await writeConfig(root, folder, group) : (group[0] ?? root);
  const cache = cached ? ["--incremental", "--tsBuildInfoFile", `${config}.tsbuildinfo`] : [];
  const result = await runCommand("tsc", ["--noEmit", ...cache, "--pretty", "false", "-p", config], root);
  if (result.code === 0) return [];
  const output = lines(result.stdout + result.stderr);
  // TS18003: workspaces without any input file yet.
  if (output.some((line) => line.includes("error TS18003"))) return [];
  return output;
}

export const types: Gate = {
  name: "types",
  fix: "fix the lines below; for one workspace: npx tsc --noEmit -p <workspace>",
  async run(root) {
    const workspaces = await typedWorkspaces(root);
    const findings: string[] = [];
    for (const group of await groupsOf(root, workspaces)) findings.push(...(await typeErrors(root, group)));
    return { findings: [...new Set(findings)], checked: `${workspaces.length} workspaces` };
  },
};
