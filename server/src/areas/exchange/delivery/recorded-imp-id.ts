import { createHash } from "node:crypto";

const MAX_LENGTH = 64;
const HASH_LENGTH = 22;

/**
 * An imp's id as rows have it. Ids are as long as bidders' customers like, and may have lone surrogates, which the store refuses. Of such
 * ids rows have the beginning and a hash: no two imps of an auction may become one.
 */
export function recordedImpId(impId: string): string {
  const encoded = Buffer.from(impId).toString();
  if (encoded === impId && impId.length <= MAX_LENGTH) return impId;
  const hash = createHash("sha256").update(impId, "utf16le").digest("base64url").slice(0, HASH_LENGTH);
  // Again, because the cut may halve a character.
  return Buffer.from(`${encoded.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}~${hash}`).toString();
}
