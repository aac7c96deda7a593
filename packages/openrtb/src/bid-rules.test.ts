import { expect, test } from "vitest";
import { BID_FAULTS, LOSS_OF_FAULT } from "./bid-faults.ts";
import type { BidRequest, Deal, Imp } from "./bid-request.ts";
import { type BidTerms, checkCreative, checkSeat, dealOf } from "./bid-rules.ts";
import { advertiserDomain, exclusionsOf, isAdvertiserBlocked } from "./exclusions.ts";
import { hasFloor, lengthFloorOf } from "./stream-rules.ts";

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

const spots: Partial<Imp> = {
  video: { mimes: ["video/mp4"], minduration: 6, maxduration: 30, protocols: [2, 3, 6] },
  audio: { mimes: ["audio/mp4"], rqddurs: [15, 30] },
};
const extended = (maxextended: number): Partial<Imp> => ({
  video: { mimes: ["video/mp4"], maxduration: 30, maxextended },
});

test.each<[Partial<BidTerms>, Partial<Imp>, string | undefined]>([
  [{ dur: 6, protocol: 2 }, {}, undefined],
  [{ dur: 30, protocol: 6 }, {}, undefined],
  [{}, {}, undefined],
  [{ dur: 0, protocol: 0 }, {}, undefined],
  [{ dur: 5 }, {}, "wrong_duration"],
  [{ dur: 31 }, {}, "wrong_duration"],
  [{ protocol: 13 }, {}, "wrong_protocol"],
  [{ protocol: 13 }, { video: { mimes: [], protocols: [] } }, undefined],
  [{ protocol: 13 }, { video: { mimes: [], protocol: 3 } }, "wrong_protocol"],
  [{ mtype: 3, dur: 15, protocol: 13 }, {}, undefined],
  [{ mtype: 3, dur: 20 }, {}, "wrong_duration"],
  [{ mtype: 1, dur: 500, protocol: 99 }, { banner: {} }, undefined],
  [{ dur: 31 }, extended(0), "wrong_duration"],
  [{ dur: 40 }, extended(10), undefined],
  [{ dur: 41 }, extended(10), "wrong_duration"],
  [{ dur: 500 }, extended(-1), undefined],
  [{ dur: 500 }, { video: { mimes: [], maxduration: 0 } }, undefined],
  [{ dur: 60 }, { video: { mimes: [], poddur: 60 } }, undefined],
  [{ dur: 61 }, { video: { mimes: [], poddur: 60, maxextended: -1 } }, "wrong_duration"],
  [{ vast: { major: 3, dur: 30 } }, {}, undefined],
  [{ vast: { major: 4 } }, {}, "wrong_protocol"],
  [{ vast: { dur: 31 } }, {}, "wrong_duration"],
  [{ mtype: 3, vast: { major: 4, dur: 20 } }, {}, "wrong_duration"],
  // Where the bid tells one of them, its word counts.
  [{ dur: 30, vast: { major: 3, dur: 31 } }, {}, undefined],
  [{ protocol: 3, vast: { major: 4, dur: 30 } }, {}, undefined],
  [{ dur: 0, protocol: 0, vast: { major: 4 } }, {}, "wrong_protocol"],
  [{ apis: [2] }, {}, "wrong_api"],
  [{ apis: [1, 2] }, { video: { mimes: [], api: [2] } }, undefined],
  [{ apis: [2, 7] }, {}, undefined],
  [{ apis: [] }, {}, undefined],
  [{ slotinpod: 1 }, { video: { mimes: [], slotinpod: -1 } }, "wrong_slot"],
  [{ slotinpod: 1 }, { video: { mimes: [], slotinpod: 2 } }, "wrong_slot"],
  [{ slotinpod: 2 }, { video: { mimes: [], slotinpod: -1 } }, undefined],
  [{ slotinpod: -1 }, { video: { mimes: [], slotinpod: -1 } }, undefined],
  [{ slotinpod: 1 }, {}, undefined],
])("a bid of %j in a place of %j: %s", (terms, place, code) => {
  const of: BidRequest = { id: "r", imp: [{ id: "spot", ...spots, ...place }] };
  expect(fault({ impid: "spot", mtype: 2, w: undefined, h: undefined, ...terms }, of)).toBe(code);
});

test.each([
  [{}, undefined],
  [{ dur: 0 }, undefined],
  [{ dur: 15 }, 5],
  [{ dur: 16 }, undefined],
  [{ dur: 20 }, 10],
  [{ vast: { dur: 20 } }, 10],
  [{ dur: 15, vast: { dur: 20 } }, 5],
  // Two ranges have it.
  [{ dur: 30 }, 20],
  [{ dur: 3600 }, 20],
])("a bid of %j has the floor %s", (terms, floor) => {
  const durfloors = [
    { maxdur: 15, bidfloor: 5 },
    { mindur: 20, maxdur: 30, bidfloor: 10 },
    { mindur: 30, bidfloor: 20 },
  ];
  const place: Imp = { id: "1", video: { mimes: [], durfloors } };
  expect(lengthFloorOf(terms, place, { type: "video", deal: undefined })).toBe(floor);
  expect(lengthFloorOf(terms, place, { type: "video", deal: { id: "d" } })).toBeUndefined();
  expect(lengthFloorOf(terms, { id: "1" }, { type: "audio", deal: { id: "d", durfloors } })).toBeUndefined();
  const heard: Imp = { id: "1", audio: { mimes: [] } };
  expect(lengthFloorOf(terms, heard, { type: "audio", deal: { id: "d", durfloors } })).toBe(floor);
});

test("a price per second is a floor beside the others", () => {
  const video = { mimes: [], mincpmpersec: 0.5 };
  const of = (imp: Imp, dur: number, deal?: Deal) => lengthFloorOf({ dur }, imp, { type: "video", deal });
  expect(of({ id: "1", video }, 30)).toBe(15);
  expect(of({ id: "1", video }, 0)).toBeUndefined();
  expect(of({ id: "1", video, bidfloor: 20 }, 30)).toBe(20);
  expect(of({ id: "1", video: { ...video, durfloors: [{ maxdur: 15, bidfloor: 9 }] }, bidfloor: 20 }, 10)).toBe(9);
  expect(of({ id: "1", video }, 30, { id: "d", bidfloor: 1 })).toBeUndefined();
  expect(of({ id: "1", video }, 30, { id: "d", bidfloor: 1, mincpmpersec: 0.1 })).toBe(3);
});

test.each([
  [{}, false],
  [{ bidfloor: 0 }, true],
  [{ durfloors: [] }, false],
  [{ durfloors: [{ bidfloor: 1 }] }, true],
  [{ mincpmpersec: 0.1 }, true],
])("a deal of %j has a floor: %s", (terms, has) => {
  expect(hasFloor({ id: "d", ...terms })).toBe(has);
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

test.each<[Partial<BidTerms>, Partial<BidRequest>, string | undefined]>([
  [{ cat: ["150"], cattax: 6 }, { bcat: ["150"], cattax: 6 }, "category_blocked"],
  [{ cat: ["150"], cattax: 7 }, { bcat: ["150"], cattax: 6 }, undefined],
  // Bidders answer in the request's taxonomy without saying so.
  [{ cat: ["150"] }, { bcat: ["150"], cattax: 6 }, "category_blocked"],
  [{ cat: ["IAB7-39"] }, { bcat: ["IAB7"], cattax: 1 }, "category_blocked"],
  [{ cat: ["IAB7-39"], cattax: 0 }, { bcat: ["IAB7"] }, "category_blocked"],
  // The publisher's own list has ids of the first taxonomy, whatever that of the request is.
  [{ cat: ["IAB25-3"] }, { bcat: ["150"], cattax: 6 }, "category_blocked"],
  [{ cat: ["150"], cattax: 6 }, { acat: ["150"], cattax: 6 }, undefined],
  [{ cat: ["150"] }, { acat: ["150"], cattax: 6 }, undefined],
  [{ cat: ["150"], cattax: 7 }, { acat: ["150"], cattax: 6 }, "category_blocked"],
])("a bid with %j on a request with %j is compared by taxonomy: %s", (terms, lists, code) => {
  const of: BidRequest = { id: "r", imp: [], ...lists };
  const shutOut = exclusionsOf(of, { categories: ["IAB25"] });
  expect(checkCreative({ ...good, ...terms }, imp, undefined, shutOut)).toBe(code);
});

test.each([
  [{ language: "fr" }, { wlang: ["en", "de"] }, "language_excluded"],
  [{ language: "EN" }, { wlang: ["en"] }, undefined],
  [{ langb: "en-GB" }, { wlang: ["en"] }, undefined],
  [{ langb: "en-GB" }, { wlangb: ["en-US"] }, "language_excluded"],
  [{ langb: "en-GB" }, { wlangb: ["en-gb"] }, undefined],
  [{}, { wlang: ["en"] }, undefined],
  [{ language: "" }, { wlang: ["en"] }, undefined],
  [{ language: "fr" }, { wlang: [] }, undefined],
])("a bid of %j to a request of %j: %s", (terms, of, code) => {
  expect(fault(terms, { id: "r", imp: [imp], ...of })).toBe(code);
});

test.each([
  [{ dsarequired: 3 }, undefined, "transparency_missing"],
  [{ dsarequired: 2 }, -1, undefined],
  [{ dsarequired: 1 }, undefined, undefined],
  [{ dsarequired: 2, pubrender: 0 }, 0, "transparency_missing"],
  [{ dsarequired: 2, pubrender: 0 }, 1, undefined],
  [{ dsarequired: 2, pubrender: 1 }, 0, undefined],
  [{ dsarequired: 2, pubrender: 2 }, 1, "transparency_missing"],
  [{ dsarequired: "2" }, undefined, undefined],
])("a request with the DSA terms %j and a bid with adrender %s: %s", (dsa, adrender, code) => {
  const terms = adrender === undefined ? {} : { adrender };
  expect(fault(terms, { id: "r", imp: [imp], regs: { ext: { dsa } } })).toBe(code);
  expect(fault(terms, { id: "r", imp: [imp], regs: { dsa } as object })).toBe(code);
});
