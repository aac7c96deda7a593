import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A secret for a client to keep: 256 random bits as 43 characters. */
export const newToken = (): string => randomBytes(32).toString("base64url");

/** Whether a text has the form of a token. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** The hash of an unguessable secret, in hexadecimal, for the store; it grants no access. */
export const tokenHash = (token: string): string => createHash("sha256").update(token).digest("hex");

/** Compares a received value with a secret in constant time. */
export const isSecret = (received: string, secret: string): boolean =>
  timingSafeEqual(Buffer.from(tokenHash(received)), Buffer.from(tokenHash(secret)));
