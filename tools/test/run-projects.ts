import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Tally, type VitestReport, tallyOf } from "./tally.ts";

/** Runs some projects of vitest.config.ts, with their output on the console. */
export async function runProjects(root: string, projects: readonly string[]): Promise<Tally> {
  const start = performance.now();
  const folder = await mkdtemp(join(tmpdir(), "millrace-test-"));
  const reportPath = join(folder, "report.json");
  try {
    const code = await vitest(root, [
      "run",
      "--passWithNoTests",
      ...projects.map((name) => `--project=${name}`),
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${reportPath}`,
    ]);
    const tally = tallyOf(await readReport(reportPath), code, root);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(
      `tests ${projects.join(", ")}: ${tally.passed} passed, ${tally.failures.length} failed in ${seconds} s`,
    );
    return tally;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function vitest(root: string, args: string[]): Promise<number> {
  const entry = join(root, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [entry, ...args], { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

async function readReport(path: string): Promise<VitestReport | null> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as VitestReport;
  } catch {
    return null;
  }
}
