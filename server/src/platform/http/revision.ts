import { createHash } from "node:crypto";
import { TEXTS } from "@millrace/contract";
import { Problem } from "./problem.ts";

/** Marks what a form edits: equal for equal content as the store gives it, whoever wrote it and whenever. */
export const revisionOf = (edited: unknown): string =>
  createHash("sha256").update(JSON.stringify(edited)).digest("base64url").slice(0, 16);

/**
 * Refuses to replace what has changed since the caller read it; callers that send no revision replace whatever there is.
 * Returns true if it has changed to what the caller sends (`isAsSent`): an earlier try has saved it, and its reply was lost.
 * `edited` must be read under a lock, in the transaction of the change. Problem `conflict`.
 */
export function refuseStale(revision: string | undefined, edited: unknown, isAsSent = false): boolean {
  if (revision === undefined || revision === revisionOf(edited)) return false;
  if (!isAsSent) throw new Problem("conflict", TEXTS.stale);
  return true;
}
