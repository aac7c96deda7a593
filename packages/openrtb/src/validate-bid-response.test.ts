import * as fc from "fast-check";
import { expect, test } from "vitest";
import { validateBidResponse } from "./validate-bid-response.ts";

const bid = { id: "b", impid: "1", price: 1 };

test("well-formed bids are separated from malformed ones, with their seat or their field", () => {
  const body = {
    id: "r",
    cur: "eur",
    seatbid: [
      { seat: "s", bid: [bid, { ...bid, adomain: ["a", 1] }, null, { ...bid, id: 7 }, { ...bid, w: -320 }] },
      { seat: null, bid: [{ ...bid, nurl: null, ext: { a: null } }] },
    ],
  };
  expect(validateBidResponse(body, "r")).toEqual({
    ok: true,
    response: body,
    cur: "EUR",
    bids: [{ bid, seat: "s" }, { bid: { ...bid, ext: { a: null } } }],
    malformed: [
      { bidId: "b", impId: "1", path: "adomain[1]", message: "must be a string" },
      { bidId: "", impId: "", path: "", message: "must be an object" },
      { bidId: "", impId: "1", path: "id", message: "must be a string of 1 to 512 characters" },
      { bidId: "b", impId: "1", path: "w", message: "must be an integer of at least 0" },
    ],
  });
});

test("bids for several imps that must win or lose together are malformed, and those for one are not", () => {
  const group = (...impids: string[]) => ({ group: 1, bid: impids.map((impid) => ({ ...bid, impid })) });
  const verdict = validateBidResponse({ id: "r", seatbid: [group("1", "2"), group("3", "3")] }, "r");
  expect(verdict).toMatchObject({ bids: [{ bid: { impid: "3" } }, { bid: { impid: "3" } }] });
  expect(verdict).toMatchObject({
    malformed: [
      { impId: "1", path: "group" },
      { impId: "2", path: "group" },
    ],
  });
});

test.each([
  [null, "", "must be an object"],
  [{ seatbid: [] }, "id", "is required"],
  [{ id: "other" }, "id", "must be the request's id"],
  [{ id: "r", seatbid: {} }, "seatbid", "must be an array"],
  [{ id: "r", seatbid: [{}] }, "seatbid[0].bid", "is required"],
  [{ id: "r", seatbid: [{ bid: {} }] }, "seatbid[0].bid", "must be an array"],
  [{ id: "r", cur: "dollars" }, "cur", "must be an ISO 4217 code such as USD"],
])("%j is refused as a response", (body, path, message) => {
  expect(validateBidResponse(body, "r")).toEqual({ ok: false, error: { path, message } });
});

test("a response without seatbid or an empty object is a no-bid", () => {
  expect(validateBidResponse({}, "r")).toEqual({
    ok: true,
    response: { id: "r" },
    cur: "USD",
    bids: [],
    malformed: [],
  });
  expect(validateBidResponse({ id: "r", nbr: 2 }, "r")).toMatchObject({
    ok: true,
    bids: [],
    malformed: [],
    cur: "USD",
  });
  expect(validateBidResponse({ id: "r", seatbid: null, cur: null }, "r")).toMatchObject({
    ok: true,
    bids: [],
    cur: "USD",
  });
});

test("a response with too many bids is refused as a whole", () => {
  const seatbid = Array.from({ length: 5 }, () => ({ bid: Array.from({ length: 100 }, () => bid) }));
  expect(validateBidResponse({ id: "r", seatbid }, "r")).toMatchObject({ ok: true });
  expect(validateBidResponse({ id: "r", seatbid: [...seatbid, { bid: [bid] }] }, "r")).toEqual({
    ok: false,
    error: { path: "seatbid", message: "must have at most 500 bids" },
  });
});

test("no JSON value throws", () => {
  const odd = fc.jsonValue({ maxDepth: 2 });
  const near = fc.record(
    {
      id: fc.constant("r"),
      seatbid: fc.oneof(odd, fc.array(fc.record({ bid: fc.oneof(odd, fc.array(odd)), seat: odd }))),
      cur: odd,
    },
    { requiredKeys: ["id"] },
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), near), (value) => {
      const verdict = validateBidResponse(value, "r");
      expect(
        verdict.ok ? verdict.bids.every(({ bid }) => typeof bid.id === "string") : verdict.error.message,
      ).toBeTruthy();
    }),
  );
});
