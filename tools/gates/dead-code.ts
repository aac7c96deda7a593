import { fileURLToPath } from "node:url";
import type { Gate } from "./gate.ts";
import { lines, runCommand } from "./run-command.ts";

const CONFIG = fileURLToPath(new URL("../../knip.json", import.meta.url));

export const deadCode: Gate = {
  name: "dead code",
  fix: "delete it or use it; npx knip prints the list",
  async run(root) {
    const args = ["--config", CONFIG, "--reporter", "compact", "--no-progress", "--no-config-hints"];
    const result = await runCommand("knip", args, root);
    if (result.code === 0) return { findings: [], checked: "files, exports, dependencies" };
    return { findings: lines(result.stdout + result.stderr), checked: "files, exports, dependencies" };
  },
};
