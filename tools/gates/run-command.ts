import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The project's installed commands, used for planted trees as well. */
const BIN = fileURLToPath(new URL("../../node_modules/.bin/", import.meta.url));

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs an installed command in `cwd`, without standard input, and resolves when it exits. */
export function runCommand(command: string, args: string[], cwd: string, env = {}): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(BIN + command, args, {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, FORCE_COLOR: "0", NO_COLOR: "1", ...env },
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, stdout, stderr }));
  });
}

export function lines(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}
