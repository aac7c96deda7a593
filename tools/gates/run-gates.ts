import { ALL_GATES } from "./all-gates.ts";
import type { Gate } from "./gate.ts";

const CONCURRENCY = 2;
const MAX_SHOWN = 40;

export interface GatesResult {
  passed: number;
  /** The names of the gates that found something. */
  failures: string[];
}

/** Runs every gate on the tree, two at a time, and prints one line per gate as it finishes. */
export async function runGates(root: string): Promise<GatesResult> {
  const waiting = [...ALL_GATES];
  const result: GatesResult = { passed: 0, failures: [] };
  const worker = async (): Promise<void> => {
    for (let gate = waiting.shift(); gate; gate = waiting.shift()) {
      if (await passes(gate, root)) result.passed += 1;
      else result.failures.push(`gate ${gate.name}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return result;
}

async function passes(gate: Gate, root: string): Promise<boolean> {
  const start = performance.now();
  const { findings, checked } = await gate.run(root);
  const duration = `${Math.round(performance.now() - start)} ms`;
  if (findings.length === 0) {
    console.log(`ok    ${gate.name.padEnd(20)} ${duration.padStart(8)}  ${checked}`);
    return true;
  }
  const more = findings.length > MAX_SHOWN ? [`… and ${findings.length - MAX_SHOWN} more`] : [];
  const shown = [...findings.slice(0, MAX_SHOWN), ...more].map((line) => `        ${line}`);
  console.log([`FAIL  ${gate.name.padEnd(20)} ${duration.padStart(8)}  fix: ${gate.fix}`, ...shown].join("\n"));
  return false;
}
