import { fileURLToPath } from "node:url";
import type { Gate } from "./gate.ts";
import { lines, runCommand } from "./run-command.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

export const format: Gate = {
  name: "format",
  fix: "npm run format",
  async run(root) {
    const args = ["--list-different", "--config", `${PROJECT}.prettierrc.json`, "--ignore-path", ".prettierignore"];
    const cache = ["--cache", "--cache-location", `${PROJECT}node_modules/.cache/prettier.json`];
    const result = await runCommand("prettier", [...args, ...(root === PROJECT ? cache : []), "."], root);
    // Exit code 1: files differ. Exit code 2: prettier could not read a file, or found none.
    const findings = lines(result.stdout).map((path) => `${path} is not formatted`);
    if (result.code > 1) findings.push(...lines(result.stderr));
    return { findings, seen: "all files that prettier supports" };
  },
};
