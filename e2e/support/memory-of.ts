import { readFile } from "node:fs/promises";

/** Resident memory of a process in MiB; null where the machine has no /proc. */
export async function memoryOfMib(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => null);
  const kib = status?.match(/^VmRSS:\s+(\d+) kB$/m)?.[1];
  return kib === undefined ? null : Number(kib) / 1024;
}
