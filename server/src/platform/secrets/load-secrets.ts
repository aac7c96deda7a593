import { randomBytes } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const FILE = "secret";

/**
 * The platform's secrets: those of the settings (newest first, separated by commas), or else of a file in the data
 * directory, which is generated once and readable only by its owner.
 */
export async function loadSecrets(dataDir: string, setting: string | undefined): Promise<string[]> {
  if (setting !== undefined) return listedSecrets(setting);
  const path = join(dataDir, FILE);
  const made = `${path}.${process.pid}`;
  try {
    await writeFile(made, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flush: true });
    // Whole or not at all, and never over an existing one: that would void everything it has signed and sealed.
    await link(made, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await rm(made, { force: true });
  }
  return listedSecrets(await readFile(path, "utf8"));
}

/** Secrets separated by commas or whitespace, in order. */
export const listedSecrets = (text: string) => text.split(/[\s,]+/).filter((secret) => secret !== "");
