import type { Consent } from "@millrace/contract";
import { isSwitchOff, readAdReply, readInitReply } from "../core/protocol.ts";
import { VERSION, within, SdkError } from "../core/index.ts";
import type { RecordedCall } from "../web/browser-host.ts";
import type { SetupFacts } from "./check-setup.ts";
import type { DebuggedSdk } from "./debugged-sdk.ts";

const CONSENT_WAIT_MS = 500;

export const endpointOf = ({ options }: Pick<DebuggedSdk, "options">) => options.endpoint.replace(/\/+$/, "");

/** The token of the running session, as the SDK stores it; null without one. */
export function sessionOf({ host, options }: Pick<DebuggedSdk, "host" | "options">): string | null {
  try {
    const kept = JSON.parse(host.storage.get(`millrace.${options.app}.session`) ?? "null") as {
      reply?: unknown;
    } | null;
    return readInitReply({ zones: [], ...(kept?.reply as object | undefined) })?.session ?? null;
  } catch {
    return null;
  }
}

/** What the page knows of its set-up, without asking anybody. */
export async function pageFacts(debugged: DebuggedSdk): Promise<SetupFacts> {
  const { host, options } = debugged;
  const start = host.calls.find(({ url }) => url.endsWith("/init"));
  const last = host.calls.find(({ reply }) => reply);
  const latest = start?.reply?.status === 200 ? readInitReply(start.reply.json)?.latest_sdk_version : undefined;
  return {
    version: VERSION,
    latest: latest ?? null,
    startStatus: start ? (start.reply?.status ?? 0) : null,
    startError: start?.reply ? refusalText(start.reply.status, start.reply.json) : null,
    hasSession: sessionOf(debugged) !== null,
    isSwitchedOff: isSwitchOff(last?.reply?.json),
    isTest: options.test === true,
    device: options.device,
    consent: await consentOf(debugged),
    storage: hasLocalStorage() ? "kept" : "memory",
  };
}

async function consentOf({ host, options: { consent } }: DebuggedSdk): Promise<SetupFacts["consent"]> {
  if (typeof consent !== "function") return consent ?? {};
  const late = new SdkError("consent_pending", "");
  try {
    const asked = (async (): Promise<Consent> => (await consent()) ?? {})();
    return await within(host.clock, CONSENT_WAIT_MS, asked, () => late).result;
  } catch (cause) {
    return cause === late ? "pending" : "failed";
  }
}

function hasLocalStorage(): boolean {
  try {
    const probe = "millrace.probe";
    localStorage.setItem(probe, "1");
    localStorage.removeItem(probe);
    return true;
  } catch {
    return false;
  }
}

/** The platform refuses any other auction id. */
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A request for ads of this page, and what came of it as far as the page knows. */
export interface RequestedAd {
  at: number;
  zone: string;
  format: string;
  auction: string | null;
  text: string;
}

/** The last requests for ads, newest first. */
export const requestedAds = (calls: readonly RecordedCall[]): RequestedAd[] =>
  calls.filter(({ url }) => url.endsWith("/ad")).map(requestedAd);

function requestedAd({ at, body, reply }: RecordedCall): RequestedAd {
  const { zone, format } = JSON.parse(body ?? "{}") as { zone: string; format: string };
  const asked = { at, zone, format, auction: null };
  if (!reply) return { ...asked, text: "No answer has come." };
  if (reply.status !== 200)
    return { ...asked, text: `The platform answered ${reply.status}: ${refusalText(reply.status, reply.json)}` };
  const read = readAdReply(reply.json);
  if (!read) return { ...asked, text: "The answer is not from the platform." };
  const [first] = read.ads;
  return {
    ...asked,
    auction: UUID.test(read.auction) ? read.auction : null,
    text: first ? `${first.provider} is the first of ${read.ads.length}.` : (read.reason ?? "No ad."),
  };
}

/** The reason of a refusal, if the platform gave one. */
function refusalText(status: number, json: unknown): string {
  const error = (json as { error?: unknown } | null | undefined)?.error;
  if (error === undefined) return `status ${status}`;
  return (typeof error === "string" ? error : JSON.stringify(error)).slice(0, 200);
}
