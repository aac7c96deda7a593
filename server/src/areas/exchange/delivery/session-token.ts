import { createHmac, timingSafeEqual } from "node:crypto";
import { PLATFORMS, type Platform } from "@millrace/contract";
import type { Keyring } from "./secrets.ts";

/** The facts in a session token, so that calls after init need no lookup. */
export interface SessionFacts {
  appId: number;
  platform: Platform;
  sdkVersion: string;
  /** The device's keyed hash, as a decimal string. */
  device: string;
  country: string;
  /** When the installation first ran, in days since 1970-01-01; 0 if unknown. */
  firstDay: number;
  /** Epoch seconds of the init. */
  startedAt: number;
  demo: boolean;
}

/** A verified session; `id` identifies it in its events. */
export interface Session extends SessionFacts {
  id: string;
}

/** The SDK starts a new session after half an hour of inactivity, and after a day in any case. */
export const SESSION_LIFE_SECONDS = 24 * 3600;
const TAG_BYTES = 16;
const TAG_LENGTH = 22;

type Packed = [
  nonce: string,
  appId: number,
  platform: number,
  sdkVersion: string,
  device: string,
  country: string,
  startedAt: number,
  demo: 0 | 1,
  /** Missing in tokens of older versions. */
  firstDay?: number,
];

/** Signs a session. `nonce` distinguishes two starts of the same device in one second. */
export function signSession(keyring: Keyring, facts: SessionFacts, nonce: string): { token: string; session: Session } {
  const packed: Packed = [
    nonce,
    facts.appId,
    PLATFORMS.indexOf(facts.platform),
    facts.sdkVersion,
    facts.device,
    facts.country,
    facts.startedAt,
    facts.demo ? 1 : 0,
    facts.firstDay,
  ];
  const signed = `${keyring.current.id}.${Buffer.from(JSON.stringify(packed)).toString("base64url")}`;
  const tag = tagOf(signed, keyring.current.session).toString("base64url");
  return { token: `${signed}.${tag}`, session: { ...facts, id: `s${tag.slice(0, 16)}` } };
}

/** Opens a session token; null if it is not ours or has expired. */
export function openSession(keyring: Keyring, token: string, nowSeconds: number): Session | null {
  const keyEnd = token.indexOf(".");
  const tagAt = token.length - TAG_LENGTH;
  const key = keyring.byId.get(token.slice(0, Math.max(0, keyEnd)));
  if (!key || tagAt <= keyEnd + 1 || token[tagAt - 1] !== ".") return null;
  const claimed = Buffer.from(token.slice(tagAt), "base64url");
  if (claimed.length !== TAG_BYTES) return null;
  if (!timingSafeEqual(claimed, tagOf(token.slice(0, tagAt - 1), key.session))) return null;
  // From the decoded bytes, so that another spelling of a token (`+` decodes like `-`) is the same session.
  const tag = claimed.toString("base64url");
  const packed = JSON.parse(Buffer.from(token.slice(keyEnd + 1, tagAt - 1), "base64url").toString()) as Packed;
  const platform = PLATFORMS[packed[2]];
  if (platform === undefined || nowSeconds - packed[6] > SESSION_LIFE_SECONDS) return null;
  return {
    id: `s${tag.slice(0, 16)}`,
    appId: packed[1],
    platform,
    sdkVersion: packed[3],
    device: packed[4],
    country: packed[5],
    startedAt: packed[6],
    demo: packed[7] === 1,
    firstDay: packed[8] ?? 0,
  };
}

const tagOf = (signed: string, key: Keyring["device"]) =>
  createHmac("sha256", key).update(signed).digest().subarray(0, TAG_BYTES);
