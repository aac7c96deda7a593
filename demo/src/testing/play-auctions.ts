import { fail } from "node:assert/strict";
import { FORMATS } from "@millrace/contract";
import type { BidRequest, Imp } from "@millrace/openrtb";
import type { DemoApp } from "../demo-app.ts";
import { findCountry } from "../countries.ts";
import { floorCpm } from "../floors.ts";
import { decideBid } from "../lab/decide-bid.ts";
import { IMPS } from "../lab/fixtures.ts";
import { DEMO_BIDDERS, isAskedFor } from "../lab/partners.ts";
import { UNTRACKED_SHARE } from "../population.ts";
import { seededRandom } from "../random.ts";
import { MODELS } from "../traffic/models.data.ts";

const TELEVISIONS = new Set<string>(["androidtv", "tvos", "firetv", "tizentv", "roku"]);

/** Runs auctions of each format with the lab's bid decisions. The highest bid wins if it is in time and reaches the floor. */
export function playAuctions(
  among: readonly DemoApp[],
  perFormat: number,
): Map<string, { requests: number; served: number; cpm: number }> {
  const random = seededRandom("history and lab");
  const found = new Map<string, { requests: number; served: number; cpm: number }>();
  for (const format of FORMATS) {
    const apps = among.filter(({ zones }) => zones.some((zone) => zone.format === format));
    const requestsOf = ({ dailyActives, sessionsPerActive, zones }: DemoApp) =>
      zones.reduce((sum, zone) => sum + (zone.format === format ? zone.perSession : 0), 0) *
      dailyActives *
      sessionsPerActive;
    const sum = { requests: 0, served: 0, cpm: 0 };
    found.set(format, sum);
    for (let turn = 0; turn < perFormat; turn++) {
      const app = apps[random.weighted(apps.map(requestsOf))] ?? fail("no app");
      const { country } = app.audience[random.weighted(app.audience.map(({ share }) => share))] ?? fail("no country");
      const floor = floorCpm(format, country);
      const { os, make } = random.pick(MODELS[app.platform]);
      const request: BidRequest = {
        id: `${format}-${turn}`,
        imp: [{ ...(structuredClone<unknown>(IMPS[format]) as Imp), bidfloor: floor }],
        device: {
          os,
          make,
          devicetype: TELEVISIONS.has(app.platform) ? 3 : 4,
          geo: { country: findCountry(country)?.alpha3 ?? "" },
          ...(random.chance(UNTRACKED_SHARE[app.platform]) ? { lmt: 1 } : { lmt: 0, ifa: "some-id" }),
        },
      };
      const bids = DEMO_BIDDERS.filter((bidder) => isAskedFor(bidder, format, country)).flatMap((bidder) => {
        const { fault, delayMs, intents } = decideBid(bidder, request, "test", random.integer(0, 3_600_000));
        return fault !== undefined || delayMs > 85 ? [] : intents.map(({ price }) => price);
      });
      const best = Math.max(0, ...bids);
      sum.requests += 1;
      if (best < floor || best === 0) continue;
      sum.served += 1;
      sum.cpm += best;
    }
  }
  return found;
}
