import type { BidRequest, Imp } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { withFloors } from "./with-floors.ts";

const FLOORS = [{ floorMicros: 200_000 }, { country: "DE", floorMicros: 1_500_000 }];

const told = (imp: Partial<Imp>, country = "DE", floors: typeof FLOORS = FLOORS): Imp | undefined => {
  const request: BidRequest = { id: "r", imp: [{ id: "1", banner: { w: 320, h: 50 }, ...imp }] };
  return withFloors(request, { floors, country, formats: { "1": "banner" } }).imp[0];
};

test("buyers are told the publisher's floor of the country, in dollars, where it is the higher one", () => {
  expect(told({})).toMatchObject({ bidfloor: 1.5, bidfloorcur: "USD" });
  expect(told({ bidfloor: 0.3 }, "FR")).toMatchObject({ bidfloor: 0.3 });
  expect(told({ bidfloor: 0.1, bidfloorcur: "USD" }, "FR")).toMatchObject({ bidfloor: 0.2, bidfloorcur: "USD" });
});

test("a floor in an unknown currency stays as it came", () => {
  expect(told({ bidfloor: 0.3, bidfloorcur: "EUR" })).toMatchObject({ bidfloor: 0.3, bidfloorcur: "EUR" });
});

test("without floors of the publisher nothing is touched", () => {
  const request: BidRequest = { id: "r", imp: [{ id: "1" }] };
  expect(withFloors(request, { floors: [], country: "DE", formats: {} })).toBe(request);
});
