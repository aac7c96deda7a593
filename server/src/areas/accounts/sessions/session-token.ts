import { createHash, randomBytes } from "node:crypto";

/** A new session's token: 256 random bits. It lives in the browser's cookie alone. */
export const newSessionToken = (): string => randomBytes(32).toString("base64url");

/** What the store keeps of a token: reading the store does not let anybody in. */
export const sessionHash = (token: string): string => createHash("sha256").update(token).digest("hex");
