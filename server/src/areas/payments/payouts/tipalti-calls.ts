import { createHmac } from "node:crypto";
import type { Clock } from "../../../platform/clock.ts";
import type { TipaltiSettings } from "../../../platform/settings.ts";
import { type Element, type Field, readResult, textOf, writeCall } from "./soap-message.ts";
import { post } from "./tipalti-post.ts";

/** Origins. */
export interface TipaltiHosts {
  frame: string;
  api: string;
  console: string;
}

export function tipaltiHosts({ sandbox }: Pick<TipaltiSettings, "sandbox">): TipaltiHosts {
  const host = (name: string) => `https://${name}.${sandbox ? "sandbox." : ""}tipalti.com`;
  return { frame: host("ui2"), api: host("api"), console: host("console") };
}

export interface TipaltiAccount extends Pick<TipaltiSettings, "payer" | "key"> {
  hosts: TipaltiHosts;
  clock: Clock;
  /** How long a reply is waited for. */
  timeoutMs?: number;
}

/** Shorter than an order in flight is left alone. */
const TIMEOUT_MS = 30_000;
const VERSION = "v11";

/** In Tipalti's spelling, of the whole call: it was not carried out, for a reason that is not in the question. */
const NOT_HEARD = new Set([
  "UnknownError",
  "PayerUnknown",
  "EncryptionKeyFailedValidation",
  "InvalidPayerIpAddress",
  "AuthorizationError",
  "RequestLimitReached",
]);

export const unixSeconds = (clock: Clock): string => String(Math.floor(clock.now() / 1000));

/** HMAC-SHA256 of the text in UTF-8, in hexadecimal digits. */
export const signature = (key: string, text: string): string => createHmac("sha256", key).update(text).digest("hex");

interface TipaltiCall {
  service: "PayeeFunctions" | "PayerFunctions";
  name: string;
  /** Signed before the time. */
  idap?: string;
  /** Signed after it: Tipalti's "encryption additional term". */
  extra?: string;
  /** In the documented order. */
  parameters(signed: { payer: string; time: string; key: string }): Field[];
}

/**
 * Calls a function of Tipalti's SOAP services. Resolves with its result, whose `errorCode` is to be looked at. Rejects with `Unreached`
 * if nothing was sent, and otherwise if there is no reply that can be read and relied on.
 */
export async function callTipalti(
  { payer, key, hosts, clock, timeoutMs = TIMEOUT_MS }: TipaltiAccount,
  { service, name, idap = "", extra = "", parameters }: TipaltiCall,
): Promise<Element> {
  const time = unixSeconds(clock);
  const signed = { payer, time, key: signature(key, `${payer}${idap}${time}${extra}`) };
  const { status, text } = await post({
    url: `${hosts.api}/${VERSION}/${service}.asmx`,
    contentType: "application/soap+xml; charset=utf-8",
    body: writeCall(name, parameters(signed)),
    timeoutMs,
  });
  if (status !== 200) throw new Error(`${name} was answered with ${status}`);
  const result = readResult(name, text);
  const code = errorCodeOf(result);
  if (code === "" || NOT_HEARD.has(code)) throw new Error(`${name} was answered with the code ${code || "(none)"}`);
  return result;
}

/** `OK`, or what went wrong. Some functions send a name and some a number. */
export function errorCodeOf(result: Element): string {
  const code = textOf(result, "errorCode");
  return code === "0" ? "OK" : code;
}

/** Sends a notice back as it came. Resolves with whether Tipalti says that it is its own; rejects if it does not say. */
export async function isTipaltisNotice(
  { hosts, timeoutMs = TIMEOUT_MS }: Pick<TipaltiAccount, "hosts" | "timeoutMs">,
  notice: Buffer,
): Promise<boolean> {
  const { status, text } = await post({
    url: `${hosts.console}/notif/ipn.aspx`,
    contentType: "application/x-www-form-urlencoded",
    body: notice,
    timeoutMs,
  });
  const answer = text.trim();
  if (status !== 200 || (answer !== "VERIFIED" && answer !== "INVALID"))
    throw new Error(`A notice that was sent back was answered with ${status}`);
  return answer === "VERIFIED";
}
