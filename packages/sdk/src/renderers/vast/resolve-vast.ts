import { readVast, type VastAd } from "./read-vast.ts";
import { VAST_ERROR, VastError } from "./vast-error.ts";

const MAX_WRAPPERS = 5;
const WRAPPER_TIMEOUT_MS = 3_000;

/**
 * Follows wrappers to the inline ad, and adds to it what they track (VAST 4.2, section 2.4). Throws VastError, with the Error
 * addresses of all documents up to the one that failed.
 */
export async function resolveVast(text: string, get: (url: string) => Promise<string>): Promise<VastAd> {
  const wrappers: VastAd[] = [];
  let document = text;
  for (;;) {
    const errors = wrappers.flatMap((each) => each.errors);
    const ad = reading(document, errors);
    if (ad.wraps === null) return merged(wrappers, ad);
    wrappers.push(ad);
    const all = [...errors, ...ad.errors];
    const isDeepest = wrappers.slice(0, -1).some((each) => !each.followsWrappers);
    if (wrappers.length > MAX_WRAPPERS || isDeepest) {
      throw new VastError(VAST_ERROR.wrapperLimit, "There are too many wrappers", all);
    }
    try {
      document = await get(ad.wraps);
    } catch {
      throw new VastError(VAST_ERROR.wrapperTimeout, "A wrapped document could not be loaded", all);
    }
  }
}

function reading(document: string, errors: string[]): VastAd {
  try {
    return readVast(document);
  } catch (cause) {
    if (!(cause instanceof VastError)) throw cause;
    throw new VastError(cause.code, cause.message, [...errors, ...cause.urls]);
  }
}

function merged(wrappers: VastAd[], ad: VastAd): VastAd {
  const chain = [...wrappers, ad];
  const tracking = new Map<string, string[]>();
  for (const each of chain) {
    for (const [event, urls] of each.tracking) tracking.set(event, [...(tracking.get(event) ?? []), ...urls]);
  }
  /** The ad's own go before those of the wrappers, and of these the innermost's. */
  const nearest = <T>(of: (each: VastAd) => T[]): T[] =>
    [...chain]
      .reverse()
      .map(of)
      .find((each) => each.length > 0) ?? [];
  return {
    ...ad,
    tracking,
    impressions: chain.flatMap((each) => each.impressions),
    errors: chain.flatMap((each) => each.errors),
    progress: chain.flatMap((each) => each.progress),
    clickTracking: chain.flatMap((each) => each.clickTracking),
    verifications: chain.flatMap((each) => each.verifications),
    companions: nearest((each) => each.companions),
    icons: nearest((each) => each.icons),
  };
}

/** Loads a document as players do: without cookies, within three seconds. */
export async function getDocument(url: string): Promise<string> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), WRAPPER_TIMEOUT_MS);
  try {
    const reply = await fetch(url, { credentials: "omit", signal: stop.signal });
    if (!reply.ok) throw new Error(`${url} answered ${reply.status}`);
    return await reply.text();
  } finally {
    clearTimeout(timer);
  }
}
