import { offersOf } from "@millrace/auction";
import type { BidRequest, DurFloor, Imp } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { withFloors } from "./with-floors.ts";

const FLOORS = [{ floorMicros: 200_000 }, { country: "DE", floorMicros: 1_500_000 }];

/** One imp as buyers get it, and as it is sold. */
function told(imp: Partial<Imp>, country = "DE", floors: typeof FLOORS = FLOORS, ratesToUsd = {}) {
  const request: BidRequest = { id: "r", imp: [{ id: "1", banner: { w: 320, h: 50 }, ...imp }] };
  const about = { app: { floors }, device: { country }, ratesToUsd };
  const made = withFloors(request, offersOf({ request, ...about }), ratesToUsd);
  return { request, about, made, imp: made.request.imp[0], offer: made.offers[0] };
}

test("buyers get the publisher's floor for the country, in dollars, if it is the higher one", () => {
  expect(told({}).imp).toMatchObject({ bidfloor: 1.5, bidfloorcur: "USD" });
  expect(told({ bidfloor: 0.3 }, "FR").imp).toMatchObject({ bidfloor: 0.3 });
  expect(told({ bidfloor: 0.1, bidfloorcur: "USD" }, "FR").imp).toMatchObject({ bidfloor: 0.2, bidfloorcur: "USD" });
});

test("a floor in an unknown currency stays unchanged", () => {
  expect(told({ bidfloor: 0.3, bidfloorcur: "EUR" }).imp).toMatchObject({ bidfloor: 0.3, bidfloorcur: "EUR" });
});

const byLength = (durfloors: DurFloor[]) => ({ video: { mimes: ["video/mp4"], durfloors } });

test("the floors by length of a video are told in the same way, and in the imp's currency", () => {
  const ranges = [{ maxdur: 15, bidfloor: 1 }, { mindur: 16, bidfloor: 20 }, { mindur: 61 }];
  const inDollars = [
    { maxdur: 15, bidfloor: 1.5 },
    { mindur: 16, bidfloor: 20 },
    { mindur: 61, bidfloor: 1.5 },
  ];
  expect(told({ bidfloor: 2, ...byLength(ranges) }).imp).toMatchObject({ bidfloor: 2, ...byLength(inDollars) });
  const inEuros = byLength([{ maxdur: 15, bidfloor: 4 }]);
  expect(told({ bidfloor: 0.5, bidfloorcur: "EUR", ...inEuros }, "DE", FLOORS, { EUR: 2 }).imp).toMatchObject({
    bidfloor: 1.5,
    bidfloorcur: "USD",
    ...byLength([{ maxdur: 15, bidfloor: 8 }]),
  });
  expect(told({ bidfloorcur: "EUR", ...inEuros }).imp).toMatchObject({ bidfloorcur: "EUR", ...inEuros });
});

test("the least price per second of a video and audio is converted with the floor", () => {
  const perSecond = { video: { mimes: [], mincpmpersec: 0.1 }, audio: { mimes: [], mincpmpersec: 0.25 } };
  const inEuros = { bidfloor: 0.5, bidfloorcur: "EUR", ...perSecond };
  expect(told(inEuros, "DE", FLOORS, { EUR: 2 }).imp).toMatchObject({
    bidfloor: 1.5,
    bidfloorcur: "USD",
    video: { mincpmpersec: 0.2 },
    audio: { mincpmpersec: 0.5 },
  });
  // Otherwise dollars would be told that are euros.
  expect(told({ ...inEuros, bidfloor: 0 }).imp).toMatchObject({ bidfloorcur: "EUR", ...perSecond });
  expect(told({ bidfloor: 0.5, ...perSecond }).imp).toMatchObject({ bidfloor: 1.5, ...perSecond });
});

test("without a publisher's floors the request stays unchanged", () => {
  const { request, made } = told({}, "DE", []);
  expect(made.request).toBe(request);
});

test.each([
  {},
  { bidfloor: 0.3 },
  { bidfloor: 3 },
  { bidfloor: 0.3, bidfloorcur: "EUR" },
  { bidfloor: 3, ...byLength([{ mindur: 16, bidfloor: 0.1 }]) },
])("bids on an imp with %j are checked against the floor that buyers get, also in a replay", (given) => {
  const { made, about, imp, offer } = told(given);
  expect(offer?.imp).toBe(imp);
  expect(offersOf({ request: made.request, ...about })).toEqual(made.offers);
});
