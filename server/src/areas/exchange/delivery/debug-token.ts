import { createHmac, timingSafeEqual } from "node:crypto";
import type { Keyring } from "./secrets.ts";

/** What a debug token opens: one app, until its end. */
export interface DebugPass {
  appId: number;
  /** Epoch seconds. */
  expiresAt: number;
}

const TAG_BYTES = 16;
const TOKEN = /^([\w-]+)\.([\w-]+)\.([\w-]{22})$/;

/** Signs a pass. It has a key of its own, so that no other token of the platform opens the debugger. */
export function signDebugPass(keyring: Keyring, { appId, expiresAt }: DebugPass): string {
  const signed = `${keyring.current.id}.${Buffer.from(JSON.stringify([appId, expiresAt])).toString("base64url")}`;
  return `${signed}.${tagOf(signed, keyring.current.debug).toString("base64url")}`;
}

/** Opens a token; null if it is not ours or has expired. */
export function openDebugPass(keyring: Keyring, token: string, nowSeconds: number): DebugPass | null {
  const [, keyId = "", packed = "", tag = ""] = TOKEN.exec(token) ?? [];
  const key = keyring.byId.get(keyId);
  if (!key) return null;
  const claimed = Buffer.from(tag, "base64url");
  if (claimed.length !== TAG_BYTES || !timingSafeEqual(claimed, tagOf(`${keyId}.${packed}`, key.debug))) return null;
  const [appId, expiresAt] = JSON.parse(Buffer.from(packed, "base64url").toString()) as [number, number];
  return nowSeconds < expiresAt ? { appId, expiresAt } : null;
}

const tagOf = (signed: string, key: Keyring["device"]) =>
  createHmac("sha256", key).update(signed).digest().subarray(0, TAG_BYTES);
