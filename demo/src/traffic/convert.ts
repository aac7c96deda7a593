import { signatureOf } from "../../../server/src/areas/measurement/index.ts";
import type { Random } from "../random.ts";

/** An account's address for postbacks. */
export interface PostbackTarget {
  /** A path on the exchange. */
  path: string;
  secret: string;
}

/** Of the demo's advertiser, for campaigns, and of its publisher, for cross promotions. */
export interface PostbackTargets {
  campaigns: PostbackTarget;
  inhouse: PostbackTarget;
}

/** The share of people who install the app after following an ad's link, and the share of those who then buy something in it. */
const INSTALLS = 0.3;
const PURCHASES = 0.2;
/** The shares of installs that are reported twice, and that somebody without the secret reports first. */
const REPEATED = 0.06;
const FORGED = 0.03;
const SOONEST_MS = 4000;
const LATEST_MS = 60_000;

/** The address of a campaign's ad behind its link; undefined for other ads, whose links are their own. */
export function linkIn(markup: string): string | undefined {
  const href = /href="([^"]+\/beacon\/click\?[^"]+)"/.exec(markup)?.[1];
  return href?.replaceAll("&amp;", "&").replaceAll("&#39;", "'");
}

/** The postbacks after a click, each with the time at which it is sent: the attribution provider's signed ones, and a few that are refused. */
export function postbacksAfter(
  location: string,
  targets: PostbackTargets,
  random: Random,
): { afterMs: number; path: string }[] {
  const reported = clickIn(location);
  if (reported === null || !random.chance(INSTALLS)) return [];
  const { clickId, by } = reported;
  const { path, secret } = targets[by];
  const installs = [
    ...(random.chance(FORGED) ? ["a guessed secret"] : []),
    secret,
    ...(random.chance(REPEATED) ? [secret] : []),
  ].map((signedWith) => ({ event: "install", signedWith }));
  const purchases = random.chance(PURCHASES) ? [{ event: "purchase", signedWith: secret }] : [];
  let afterMs = 0;
  return [...installs, ...purchases].map(({ event, signedWith }) => {
    afterMs += SOONEST_MS + (LATEST_MS - SOONEST_MS) * random.next();
    const params = new Map([
      ["click_id", clickId],
      ["event", event],
    ]);
    const query = new URLSearchParams([...params, ["signature", signatureOf(params, signedWith)]]);
    return { afterMs, path: `${path}?${query.toString()}` };
  });
}

/** The click id that a store or a landing page is told. Cross promotions lead to the store, which passes its referrer on to the app. */
function clickIn(location: string): { clickId: string; by: keyof PostbackTargets } | null {
  if (!URL.canParse(location)) return null;
  const { searchParams } = new URL(location);
  const own = searchParams.get("click_id");
  if (own !== null && own !== "") return { clickId: own, by: "campaigns" };
  const referred = new URLSearchParams(searchParams.get("referrer") ?? "").get("click_id");
  return referred === null || referred === "" ? null : { clickId: referred, by: "inhouse" };
}
