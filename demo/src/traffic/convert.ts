import { signatureOf } from "../../../server/src/areas/measurement/index.ts";
import type { Random } from "../random.ts";

/** The demo advertiser's address for postbacks. */
export interface PostbackTarget {
  /** A path on the exchange. */
  path: string;
  secret: string;
}

/** Of those who follow an ad's link, so many install the app, and of those so many buy something in it. */
const INSTALLS = 0.3;
const PURCHASES = 0.2;
const SOONEST_MS = 4000;
const LATEST_MS = 60_000;

/** The address of a campaign's ad behind its link; undefined for other ads, whose links are their own. */
export function linkIn(markup: string): string | undefined {
  const href = /href="([^"]+\/beacon\/click\?[^"]+)"/.exec(markup)?.[1];
  return href?.replaceAll("&amp;", "&").replaceAll("&#39;", "'");
}

/** What an attribution provider reports after a click: signed postbacks, each with the time at which it is sent. */
export function postbacksAfter(
  location: string,
  { path, secret }: PostbackTarget,
  random: Random,
): { afterMs: number; path: string }[] {
  const clickId = URL.canParse(location) ? (new URL(location).searchParams.get("click_id") ?? "") : "";
  if (clickId === "" || !random.chance(INSTALLS)) return [];
  const events = random.chance(PURCHASES) ? ["install", "purchase"] : ["install"];
  let afterMs = 0;
  return events.map((event) => {
    afterMs += SOONEST_MS + (LATEST_MS - SOONEST_MS) * random.next();
    const params = new Map([
      ["click_id", clickId],
      ["event", event],
    ]);
    const query = new URLSearchParams([...params, ["signature", signatureOf(params, secret)]]);
    return { afterMs, path: `${path}?${query.toString()}` };
  });
}
