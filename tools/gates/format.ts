import type { Gate } from "./gate.ts";
import { lines, runCommand } from "./run-command.ts";

export const format: Gate = {
  name: "format",
  fix: "npm run format",
  async run(root) {
    const result = await runCommand("oxfmt", ["--disable-nested-config", "--list-different"], root);
    // Exit code 1: files differ. Exit code 2: a file could not be read, or none was found.
    const findings = lines(result.stdout).map((path) => `${path} is not formatted`);
    if (result.code > 1) findings.push(...lines(result.stderr));
    return { findings, checked: "all files that oxfmt supports" };
  },
};
