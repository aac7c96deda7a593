import { ALL_GATES } from "./all-gates.ts";
import type { Gate } from "./gate.ts";

const AT_ONCE = 2;
const SHOWN = 40;

export interface GatesResult {
  passed: number;
  failed: number;
}

/** Runs every gate on the tree, two at a time, and prints a line for each as it ends. */
export async function runGates(root: string): Promise<GatesResult> {
  const waiting = [...ALL_GATES];
  const result: GatesResult = { passed: 0, failed: 0 };
  const worker = async (): Promise<void> => {
    for (let gate = waiting.shift(); gate; gate = waiting.shift()) {
      if (await passes(gate, root)) result.passed += 1;
      else result.failed += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return result;
}

async function passes(gate: Gate, root: string): Promise<boolean> {
  const start = performance.now();
  const { findings, seen } = await gate.run(root);
  const took = `${Math.round(performance.now() - start)} ms`;
  if (findings.length === 0) {
    console.log(`ok    ${gate.name.padEnd(20)} ${took.padStart(8)}  ${seen}`);
    return true;
  }
  const more = findings.length > SHOWN ? [`… and ${findings.length - SHOWN} more`] : [];
  const shown = [...findings.slice(0, SHOWN), ...more].map((line) => `        ${line}`);
  console.log([`FAIL  ${gate.name.padEnd(20)} ${took.padStart(8)}  fix: ${gate.fix}`, ...shown].join("\n"));
  return false;
}
