import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text with AES-256-GCM. Returns nonce, ciphertext and tag as base64url. */
export function sealed(key: KeyObject, nonce: Buffer, text: string): string {
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]).toString("base64url");
}

/** Decrypts what `sealed` returned; null if it is not ours, or was changed. */
export function unsealed(key: KeyObject, sealedText: string): { text: string; nonce: Buffer } | null {
  const bytes = Buffer.from(sealedText, "base64url");
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return null;
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tagAt = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(tagAt));
  // As bytes: a cipher that is asked for text makes a decoder each time, which costs half as much again.
  const opened = decipher.update(bytes.subarray(NONCE_BYTES, tagAt));
  try {
    decipher.final();
  } catch {
    return null;
  }
  return { text: opened.toString(), nonce };
}

// A nonce must never repeat under a key. Random ones would collide after some billions, so these are counted from a random
// start in each process.
const NONCE_START = randomBytes(NONCE_BYTES / 2);
let nonces = 0;

export function nextNonce(): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  NONCE_START.copy(nonce);
  nonce.writeUIntBE(nonces++, NONCE_BYTES / 2, NONCE_BYTES / 2);
  return nonce;
}
