import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Gate } from "./gate.ts";
import { lines, runCommand } from "./run-command.ts";

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

async function typeErrors(root: string, workspace: string): Promise<string[]> {
  // Unchanged workspaces are not checked again. A planted tree has no cache.
  const buildInfo = join(root, "node_modules/.cache/tsc", `${workspace.replaceAll("/", "-")}.json`);
  const cache = existsSync(join(root, "node_modules")) ? ["--incremental", "--tsBuildInfoFile", buildInfo] : [];
  const result = await runCommand("tsc", ["--noEmit", ...cache, "--pretty", "false", "-p", workspace], root);
  if (result.code === 0) return [];
  const output = lines(result.stdout + result.stderr);
  // TS18003: a workspace without any input file yet.
  if (output.some((line) => line.includes("error TS18003"))) return [];
  return output;
}

export const types: Gate = {
  name: "types",
  fix: "fix the lines below; for one workspace: npx tsc --noEmit -p <workspace>",
  async run(root) {
    const workspaces = await typedWorkspaces(root);
    const findings: string[] = [];
    for (const workspace of workspaces) findings.push(...(await typeErrors(root, workspace)));
    return { findings: [...new Set(findings)], seen: `${workspaces.length} workspaces` };
  },
};
