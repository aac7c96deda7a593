import { randomBytes } from "node:crypto";
import { link, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "../start-error.ts";

const FILE = "secret";

/**
 * The platform's secrets: those of the settings (newest first, separated by commas), or else of a file in the data
 * directory, which is generated once and readable only by its owner. Throws StartError instead of generating one if
 * `hasSealed` finds values in PostgreSQL that a lost one sealed.
 */
export async function loadSecrets(
  dataDir: string,
  setting: string | undefined,
  hasSealed: () => Promise<boolean>,
): Promise<string[]> {
  if (setting !== undefined) return listedSecrets(setting);
  const path = join(dataDir, FILE);
  const isThere = await stat(path).then(Boolean, () => false);
  // A new one would silently stop all partners with keys, and make every device a new one.
  if (!isThere && (await hasSealed())) {
    throw new StartError(
      `PostgreSQL has values that a secret has sealed, and ${path} is missing: restore it, or set MILLRACE_SECRET to its content. If it is lost, set MILLRACE_SECRET to a new secret, and enter again what the log names.`,
    );
  }
  const temporary = `${path}.${process.pid}`;
  try {
    await writeFile(temporary, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flush: true });
    // Whole or not at all, and never over an existing one: that would void everything it has signed and sealed.
    await link(temporary, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return listedSecrets(await readFile(path, "utf8"));
}

/** Secrets separated by commas or whitespace, in order. */
export const listedSecrets = (text: string) => text.split(/[\s,]+/).filter((secret) => secret !== "");
