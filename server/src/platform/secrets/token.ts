import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A secret to be held by somebody else: 256 random bits as 43 signs. */
export const newToken = (): string => randomBytes(32).toString("base64url");

/** Whether a text has the form of one. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** What a store keeps of a secret that nobody could guess, in hexadecimal: reading the store does not let anybody in. */
export const tokenHash = (token: string): string => createHash("sha256").update(token).digest("hex");

/** Compares what somebody sent with a secret, in a time that tells nothing about either. */
export const isSecret = (given: string, secret: string): boolean =>
  timingSafeEqual(Buffer.from(tokenHash(given)), Buffer.from(tokenHash(secret)));
