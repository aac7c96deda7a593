import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MIB } from "../disk-space.ts";

export interface SmallDisk {
  dir: string;
  release(): void;
}

/** A small disk in memory; null if this user may not mount one. */
export function smallDisk(sizeMib: number): SmallDisk | null {
  const dir = mkdtempSync(join(tmpdir(), "millrace-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${sizeMib}m`, "tmpfs", dir], { stdio: "ignore" });
  } catch {
    rmSync(dir, { recursive: true });
    return null;
  }
  return {
    dir,
    release() {
      execFileSync("umount", ["-l", dir]);
      rmSync(dir, { recursive: true });
    },
  };
}

/** Writes until there is no space left. */
export async function fillDisk(path: string): Promise<void> {
  const file = await open(path, "a");
  try {
    for (let bytes = MIB; bytes >= 4096; bytes /= 4) await appendUntilFull(bytes, file);
  } finally {
    await file.close();
  }
}

async function appendUntilFull(bytes: number, file: { appendFile(data: Buffer): Promise<void> }): Promise<void> {
  const zeros = Buffer.alloc(bytes);
  try {
    for (;;) await file.appendFile(zeros);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
