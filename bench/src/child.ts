import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface Child {
  pid: number;
  /** The first line it printed, parsed. */
  hello: unknown;
  stop(): Promise<void>;
}

/** Starts a TypeScript file of this folder as a process and waits for its first line of JSON. */
export async function startChild(file: string, args: string[]): Promise<Child> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", path, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const hello = await firstLine(child);
  return { pid: child.pid ?? 0, hello: JSON.parse(hello), stop: () => ended(child) };
}

export function firstLine(child: ChildProcess, wanted: (line: string) => boolean = () => true): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!child.stdout) throw new Error("the child's output is not piped");
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (wanted(line)) resolve(line);
    });
    child.once("exit", (code) => reject(new Error(`the child ended with ${code} before it was ready`)));
  });
}

/** Ends a child by closing its input, and waits until it is gone. */
export function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.stdin?.end();
  });
}

const TICKS_PER_SECOND = 100;

/** User and system CPU seconds that a process has used so far (Linux). */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** The median of numbers; an even count gives the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** The value below which `share` of the values lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
