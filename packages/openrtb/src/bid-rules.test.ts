import { expect, test } from "vitest";
import { BID_FAULTS, LOSS_OF_FAULT } from "./bid-faults.ts";
import type { BidRequest, Imp } from "./bid-request.ts";
import { type BidTerms, checkCreative, checkSeat, dealOf } from "./bid-rules.ts";
import { advertiserDomain, exclusionsOf, isAdvertiserBlocked } from "./exclusions.ts";

const imp: Imp = {
  id: "1",
  banner: {
    format: [
      { w: 320, h: 50 },
      { w: 300, h: 250 },
      { wratio: 16, hratio: 9, wmin: 320 },
    ],
    battr: [8],
  },
  video: { mimes: ["video/mp4"] },
  pmp: { deals: [{ id: "deal-1", bidfloor: 3, wseat: ["seat-1"], wadomain: ["chosen.example.com"] }] },
};
const request: BidRequest = {
  id: "r",
  app: {},
  imp: [imp, { id: "private", banner: { w: 320, h: 50 }, pmp: { private_auction: 1 } }, { id: "any", banner: {} }],
  badv: ["Blocked.example.com"],
  bcat: ["IAB25", "IAB7-39"],
  bapp: ["com.example.blocked"],
  bseat: ["seat-9"],
};
const good: BidTerms & { impid: string } = {
  impid: "1",
  mtype: 1,
  w: 320,
  h: 50,
  adomain: ["brand.example.com"],
};
const exclusions = exclusionsOf(request, {
  advertisers: ["rival.example.com", "Bücher.example", "https://www.address.example/x", "dot.example."],
});

function fault(changes: Partial<typeof good>, of: BidRequest = request): string | undefined {
  const { impid, ...terms } = { ...good, ...changes };
  const asked = of.imp.find(({ id }) => id === impid) ?? imp;
  const deal = dealOf(asked, terms.dealId);
  const shutOut = of === request ? exclusions : exclusionsOf(of);
  return checkSeat(terms, asked, deal, shutOut) ?? checkCreative(terms, asked, deal, shutOut);
}

const chosen = { dealId: "deal-1", adomain: ["chosen.example.com"] };
const seated = { ...chosen, seat: "seat-1" };

test("a bid that meets the request has no fault", () => {
  expect(fault({})).toBeUndefined();
  expect(fault({ w: 300, h: 250 })).toBeUndefined();
  expect(fault({ w: 640, h: 360 })).toBeUndefined();
  expect(fault({ mtype: 2, w: undefined, h: undefined })).toBeUndefined();
  expect(fault({ impid: "any", mtype: undefined, w: 5, h: 5 })).toBeUndefined();
  expect(fault(seated)).toBeUndefined();
  expect(fault({ ...seated, adomain: ["www.chosen.example.com"] })).toBeUndefined();
  expect(fault({ dealId: "" })).toBeUndefined();
  expect(fault({ impid: "any", mtype: 0, w: 5, h: 5 })).toBeUndefined();
  expect(fault({ adomain: ["https://www.brand.example.com/path"] })).toBeUndefined();
});

test.each([
  [{ dealId: "other" }, "unknown_deal"],
  [{ impid: "private" }, "deal_required"],
  [chosen, "seat_blocked"],
  [{ mtype: 4 }, "wrong_media_type"],
  [{ mtype: undefined }, "wrong_media_type"],
  [{ mtype: 99 }, "wrong_media_type"],
  [{ w: 728, h: 90 }, "wrong_size"],
  [{ w: undefined, h: undefined }, "wrong_size"],
  [{ adomain: [] }, "advertiser_missing"],
  [{ adomain: undefined }, "advertiser_missing"],
  [{ adomain: ["not a domain"] }, "advertiser_malformed"],
  [{ adomain: ["blocked.example.com"] }, "advertiser_blocked"],
  [{ adomain: ["brand.example.com", "shop.rival.example.com"] }, "advertiser_blocked"],
  [{ adomain: ["blocked.example.com."] }, "advertiser_blocked"],
  [{ adomain: ["https://user:word@blocked.example.com/"] }, "advertiser_malformed"],
  [{ adomain: ["https://brand.example.com:80@blocked.example.com/"] }, "advertiser_malformed"],
  [{ adomain: ["ｂｌｏｃｋｅｄ.example.com"] }, "advertiser_blocked"],
  [{ adomain: ["bücher.example"] }, "advertiser_blocked"],
  [{ adomain: ["xn--bcher-kva.example"] }, "advertiser_blocked"],
  [{ adomain: ["shop.address.example"] }, "advertiser_blocked"],
  [{ adomain: ["dot.example"] }, "advertiser_blocked"],
  [{ w: 160, h: 90 }, "wrong_size"],
  [{ w: 0, h: 0, wratio: 0, hratio: 0 }, "wrong_size"],
  [{ cat: ["IAB25-3"] }, "category_blocked"],
  [{ cat: ["IAB1", "iab7-39"] }, "category_blocked"],
  [{ attr: [1, 8] }, "attribute_blocked"],
  [{ bundle: "com.example.blocked" }, "app_blocked"],
] as [Partial<typeof good>, string][])("%j is a fault: %s", (changes, code) => {
  expect(fault(changes)).toBe(code);
});

test("seats are admitted by the request and by the deal", () => {
  expect(fault({ seat: "seat-9" })).toBe("seat_blocked");
  expect(fault({ ...chosen, seat: "seat-2" })).toBe("seat_blocked");
  expect(fault({ ...seated, adomain: ["brand.example.com"] })).toBe("advertiser_blocked");
  expect(fault({}, { ...request, wseat: ["seat-1"] })).toBe("seat_blocked");
  expect(fault({ seat: "seat-1" }, { ...request, wseat: ["seat-1"] })).toBeUndefined();
});

test("if categories are allowed by list, a bid must be in one of them or a subcategory", () => {
  const picked = { ...request, bcat: undefined, acat: ["IAB1", "IAB2-3"] };
  expect(fault({ cat: ["IAB1-7", "iab2-3"] }, picked)).toBeUndefined();
  expect(fault({ cat: ["IAB1", "IAB2"] }, picked)).toBe("category_blocked");
  expect(fault({ cat: [] }, picked)).toBe("category_blocked");
  expect(fault({}, picked)).toBe("category_blocked");
});

test("a category with a name similar to a blocked one passes", () => {
  expect(fault({ cat: ["IAB7-3", "IAB2"] })).toBeUndefined();
});

test("every fault has a loss reason for the bidder", () => {
  expect(BID_FAULTS.map((code) => LOSS_OF_FAULT[code]).every((loss) => loss >= 3)).toBe(true);
});

test.each([
  ["Brand.Example.com.", "brand.example.com"],
  ["example.com:443/x", "example.com"],
  ["//example.com?x", "example.com"],
  ["münchen.example", "xn--mnchen-3ya.example"],
  ["localhost", undefined],
  ["-x.example.com", undefined],
  ["a".repeat(100_000), undefined],
  ["", undefined],
])("the advertiser domain of %s", (value, domain) => {
  expect(advertiserDomain(value)).toBe(domain);
});

test("a block of www.de blocks that site, and not all of Germany's", () => {
  const exclusions = exclusionsOf({ id: "1", imp: [] }, { advertisers: ["www.de"] });
  expect(isAdvertiserBlocked("www.de", exclusions)).toBe(true);
  expect(isAdvertiserBlocked("shop.de", exclusions)).toBe(false);
});
