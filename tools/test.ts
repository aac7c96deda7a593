import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { runGates } from "./gates/run-gates.ts";
import { sourceFiles } from "./gates/source-tree.ts";
import { runProjects } from "./test/run-projects.ts";
import type { Tally } from "./test/tally.ts";
import { reachLines, testReach } from "./test/test-reach.ts";

// `npm test`: the static gates, the build, then every test. A failing stage does not stop the later ones, so one run reports
// everything. Then each workspace gets a line that lists the files no test reaches, and each failure a line. The last line is
// always `N passed, N failed`, where each gate counts as one test.

const root = fileURLToPath(new URL("..", import.meta.url));
/** Each stage is one vitest run: its stores and its platform are stopped before the next stage starts. */
const STAGES = [["unit", "web"], ["server", "demo", "timed"], ["e2e"]];

async function builds(): Promise<boolean> {
  const child = spawn(process.execPath, ["--import", "tsx", "tools/build.ts"], { cwd: root, stdio: "inherit" });
  return new Promise((resolve) => child.on("close", (code) => resolve(code === 0)));
}

const total = { passed: 0, failures: [] as string[], skipped: 0 };
const add = ({ passed = 0, failures = [], skipped = 0 }: Partial<Tally>): void => {
  total.passed += passed;
  total.failures.push(...failures);
  total.skipped += skipped;
};

add(await runGates(root));
if (!(await builds())) {
  console.error("The build failed: the browser tests run against an old build, or none.");
  add({ failures: ["the build"] });
}
for (const projects of STAGES) add(await runProjects(root, projects));

for (const line of reachLines(testReach(await sourceFiles(root)))) console.log(line);
if (total.skipped > 0) console.log(`${total.skipped} skipped`);
for (const failure of total.failures) console.log(`FAIL  ${failure}`);
console.log(`${total.passed} passed, ${total.failures.length} failed`);
process.exitCode = total.failures.length === 0 && total.passed > 0 ? 0 : 1;
