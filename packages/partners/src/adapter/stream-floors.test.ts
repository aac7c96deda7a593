import type { BidRequest, Imp } from "@millrace/openrtb";
import { expect, test } from "vitest";
import type { PartnerId } from "../catalogue.ts";
import { requestsOf } from "../requests-of.ts";
import { fixturesOf, IMPS } from "../testing/partner-fixtures.ts";

const RATES = { JPY: 0.01, EUR: 1.25 };
const durfloors = [{ mindur: 1, maxdur: 30, bidfloor: 1500 }, { mindur: 31 }];

/** An imp of 300 yen with higher floors for some lengths, as a partner gets it. */
function sentTo(partner: PartnerId, host: { currency?: string } = {}, keys: object = {}): Imp | string {
  const { keys: all, host: own } = fixturesOf(partner) ?? { keys: {} };
  const imp = {
    id: "1",
    bidfloor: 300,
    bidfloorcur: "JPY",
    video: { ...IMPS.video.video, mimes: ["video/mp4"], durfloors, mincpmpersec: 20 },
    audio: { mimes: ["audio/mp4"], durfloors },
    ext: { bidder: { ...all, ...keys } },
  };
  const request: BidRequest = { id: "r", imp: [imp], app: { id: "app-1" }, device: { os: "android" } };
  const made = requestsOf(partner, request, { host: { ...own, ...host }, ratesToUsd: RATES });
  if ("code" in made) return made.message;
  return (JSON.parse(made[0]?.body ?? "{}") as BidRequest).imp[0] as Imp;
}

const inDollars = [
  { mindur: 1, maxdur: 30, bidfloor: 15 },
  { mindur: 31, bidfloor: 0 },
];

test("floors by length are converted with the imp's floor", () => {
  expect(sentTo("sharethrough")).toMatchObject({
    bidfloor: 3,
    bidfloorcur: "USD",
    video: { durfloors: inDollars, mincpmpersec: 0.2 },
  });
  expect(sentTo("pulsepoint", { currency: "EUR" })).toMatchObject({
    bidfloor: 2.4,
    bidfloorcur: "EUR",
    video: { durfloors: [{ bidfloor: 12 }, { bidfloor: 0 }] },
    audio: { durfloors: [{ bidfloor: 12 }, { bidfloor: 0 }] },
  });
});

test("floors by length are converted where a key's floor replaces the imp's, and stay where it does not", () => {
  expect(sentTo("adtelligent", {}, { bidFloor: 4 })).toMatchObject({
    bidfloor: 4,
    bidfloorcur: "USD",
    video: { durfloors: inDollars },
  });
  expect(sentTo("xandr", {}, { reserve: 4 })).toMatchObject({
    bidfloor: 300,
    bidfloorcur: "JPY",
    video: { durfloors },
  });
});

test("a partner's own changes of a video keep its converted floors", () => {
  const sent = sentTo("algorix", { currency: "USD" });
  expect(sent).toMatchObject({ bidfloor: 3, bidfloorcur: "USD", video: { durfloors: inDollars } });
});

test("an imp whose floors by length have no rate is refused", () => {
  expect(sentTo("pulsepoint", { currency: "PLN" })).toContain("there is no rate from JPY to PLN");
});
