import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Gate } from "./gate.ts";
import { lines, runCommand } from "./run-command.ts";

/** The workspaces with code: the folders that package.json's patterns name and that hold a tsconfig. */
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
  // What has not changed is not checked again; a planted tree is always new.
  const known = join(root, "node_modules/.cache/tsc", `${workspace.replaceAll("/", "-")}.json`);
  const cache = existsSync(join(root, "node_modules")) ? ["--incremental", "--tsBuildInfoFile", known] : [];
  const result = await runCommand("tsc", ["--noEmit", ...cache, "--pretty", "false", "-p", workspace], root);
  if (result.code === 0) return [];
  const output = lines(result.stdout + result.stderr);
  // A workspace whose code is still to come is not wrong.
  if (output.some((line) => line.includes("error TS18003"))) return [];
  return output;
}

export const types: Gate = {
  name: "types",
  fix: "mend the lines above; one workspace alone: npx tsc --noEmit -p <workspace>",
  async run(root) {
    const workspaces = await typedWorkspaces(root);
    const findings: string[] = [];
    for (const workspace of workspaces) findings.push(...(await typeErrors(root, workspace)));
    return { findings: [...new Set(findings)], seen: `${workspaces.length} workspaces` };
  },
};
