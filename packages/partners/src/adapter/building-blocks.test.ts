import type { BidRequest, Imp } from "@millrace/openrtb";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { impIdWithout, nativeUnwrapped, seatFromExt, withoutExt, withPriceOnly } from "./bid-steps.ts";
import { Refusal } from "./changes.ts";
import { defineAdapter } from "./define-adapter.ts";
import { atPath, textAt } from "./ext-paths.ts";
import { bannerWith, floorChanges, plusExt } from "./imp-changes.ts";
import { byExt, byImp, byMtype, bySoleType } from "./media-type-of-bid.ts";
import { inventoryId, withSchainNode } from "./request-changes.ts";
import { prepareRequest } from "./prepared-request.ts";
import { bidsOf, requestsOf } from "../requests-of.ts";

const anyKeys = { properties: {}, required: [] };
const request: BidRequest = {
  id: "r",
  imp: [{ id: "1", banner: { w: 1, h: 1 }, ext: { gpid: "g" } }],
  app: { id: "a" },
};
const answer = { status: 200, headers: {}, body: undefined };

/** The first imp as sent. */
function sentImp(made: ReturnType<typeof requestsOf>): unknown {
  return "code" in made ? made : (JSON.parse(made[0]?.body ?? "{}") as BidRequest).imp[0];
}

test.each([
  [{ size: "both-missing" }, {}, { w: 300, h: 250 }],
  [{ size: "both-missing" }, { w: 1 }, { w: 1 }],
  [{ size: "both-missing" }, { w: 0, h: 0 }, { w: 300, h: 250 }],
  [{ size: "any-missing" }, { w: 1 }, { w: 300, h: 250 }],
  [{ size: "always" }, { w: 1, h: 1 }, { w: 300, h: 250 }],
  [
    { size: "always", fields: { pos: 1 } },
    { w: 1, h: 1 },
    { w: 300, h: 250, pos: 1 },
  ],
  [{ fields: { pos: 1 } }, { w: 1, h: 1 }, { w: 1, h: 1, pos: 1 }],
] as const)("with %j, the banner %j becomes %j", (rules, banner, made) => {
  const format = [{ w: 300, h: 250 }];

  expect(bannerWith(rules)({ id: "1", banner: { ...banner, format } })).toEqual({ ...made, format });
});

test("the format whose size a banner gets can be removed, and a banner without a size refused", () => {
  const banner = bannerWith({ size: "both-missing", shift: true, orRefuse: true });
  const format = [
    { w: 2, h: 3 },
    { w: 4, h: 5 },
  ];
  expect(banner({ id: "1", banner: { format } })).toEqual({ w: 2, h: 3, format: [{ w: 4, h: 5 }] });
  expect(banner({ id: "1", banner: { format: [{ w: 2, h: 3 }] } })).toEqual({ w: 2, h: 3 });
  expect(banner({ id: "1", banner: { format: [{ w: 2 }] } })).toBeInstanceOf(Refusal);
  expect(banner({ id: "1" })).toBeUndefined();
});

test("fields added to an imp's ext replace those of their names", () => {
  const adapter = defineAdapter<{ a: number }>({
    id: "x",
    name: "X",
    mediaTypes: ["banner"],
    endpoint: "https://x.example.com",
    keys: anyKeys,
    plan: ({ a }) => ({ imp: { ext: plusExt({ gpid: "new", a, gone: undefined }) }, request: inventoryId("i") }),
  });
  const [imp] = request.imp as [Imp];
  const made = requestsOf(adapter, { ...request, imp: [{ ...imp, ext: { gpid: "g", other: 1, bidder: { a: 2 } } }] });
  expect(sentImp(made)).toEqual({ id: "1", banner: { w: 1, h: 1 }, ext: { gpid: "new", other: 1, a: 2 } });
  expect(JSON.parse("code" in made ? "" : (made[0]?.body ?? ""))).toMatchObject({ app: { id: "i" } });
});

test.each([
  [{ floor: 2, mode: "higher" }, { bidfloor: 3 }, { bidfloor: 3 }],
  [{ floor: 2, mode: "higher" }, { bidfloor: 1 }, { bidfloor: 2 }],
  [{ floor: 2, mode: "if-missing" }, { bidfloor: 0 }, { bidfloor: 2 }],
  [{ floor: 0 }, { bidfloor: 1 }, { bidfloor: 1 }],
  [{ currency: "USD" }, { bidfloor: 1 }, { bidfloor: 1 }],
  [{ currency: "USD", nameCurrency: "with-floor" }, { bidfloor: 1 }, { bidfloor: 1, bidfloorcur: "USD" }],
  [{ currency: "USD", nameCurrency: "with-floor" }, {}, {}],
  [{ currency: "USD", nameCurrency: "always" }, {}, { bidfloorcur: "USD" }],
  [
    { currency: "USD", keepWithoutRate: true },
    { bidfloor: 1, bidfloorcur: "JPY" },
    { bidfloor: 1, bidfloorcur: "JPY" },
  ],
  [{ currency: "USD" }, { bidfloor: 0, bidfloorcur: "JPY" }, { bidfloorcur: "JPY", bidfloor: 0 }],
] as const)("with the floor rules %j, %j becomes %j", (rules, imp, made) => {
  const adapter = defineAdapter({
    id: "x",
    name: "X",
    mediaTypes: ["banner"],
    endpoint: "https://x.example.com",
    keys: anyKeys,
    plan: () => ({ imp: { ...floorChanges(rules), ext: plusExt({}) } }),
  });
  const of = { id: "1", banner: { w: 1, h: 1 }, ...imp };
  expect(sentImp(requestsOf(adapter, { ...request, imp: [of] }))).toEqual({
    id: "1",
    banner: { w: 1, h: 1 },
    ext: {},
    ...made,
  });
});

test("a price that equals the converted floor is never below the floor, in any currency", () => {
  const adapter = defineAdapter({
    id: "x",
    name: "X",
    mediaTypes: ["banner"],
    endpoint: "https://x.example.com",
    keys: anyKeys,
  });
  const micros = fc.integer({ min: 1, max: 50_000_000 });
  const rate = fc.double({ min: 0.001, max: 4, noNaN: true });
  fc.assert(
    fc.property(micros, rate, rate, (floorMicros, euro, yen) => {
      const imp = { id: "1", banner: {}, bidfloor: floorMicros / 1e6, bidfloorcur: "EUR" };
      const ratesToUsd = { EUR: euro, JPY: yen };
      const made = requestsOf(adapter, { ...request, imp: [imp] }, { host: { currency: "JPY" }, ratesToUsd });
      const { bidfloor = 0, bidfloorcur } = sentImp(made) as Imp;
      expect(bidfloorcur).toBe("JPY");
      // As the auction compares them: both in whole micro-dollars.
      expect(Math.round(Math.round(bidfloor * 1e6) * yen)).toBeGreaterThanOrEqual(Math.round(floorMicros * euro));
      expect(bidfloor * yen).toBeLessThanOrEqual((floorMicros / 1e6) * euro + yen * 1e-6 + 1e-6);
    }),
  );
});

test("a rate that is no number, and a currency named like a property of every object, are refused", () => {
  const adapter = defineAdapter({
    id: "x",
    name: "X",
    mediaTypes: ["banner"],
    endpoint: "https://x.example.com",
    keys: anyKeys,
  });
  const imp = [{ id: "1", banner: {}, bidfloor: 1, bidfloorcur: "USD" }];
  for (const [currency, rate] of [
    ["EUR", NaN],
    ["EUR", 0],
    ["EUR", -1],
    ["EUR", Infinity],
    ["constructor", 1],
  ] as const) {
    const ratesToUsd: Record<string, number> = currency === "constructor" ? {} : { [currency]: rate };
    expect(requestsOf(adapter, { ...request, imp }, { host: { currency }, ratesToUsd })).toMatchObject({
      code: "request_failed",
    });
  }
});

test("a body may be something else than JSON", () => {
  const adapter = defineAdapter({
    id: "x",
    name: "X",
    mediaTypes: ["banner"],
    endpoint: "https://x.example.com",
    keys: anyKeys,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    encode: (json) => `request=${encodeURIComponent(json)}`,
  });
  const made = requestsOf(adapter, request);
  const [call] = "code" in made ? [] : made;
  expect(call?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
  expect(JSON.parse(decodeURIComponent(call?.body.replace("request=", "") ?? ""))).toMatchObject({ id: "r" });
});

test("a mistake in an adapter costs its own call", () => {
  const adapter = defineAdapter({
    id: "x",
    name: "X",
    mediaTypes: ["banner"],
    endpoint: "https://x.example.com",
    keys: anyKeys,
    plan: () => ({
      imp: {
        tagid() {
          throw new Error("oops");
        },
      },
    }),
    response: {
      steps: [
        () => {
          throw new Error("oops");
        },
      ],
    },
  });
  expect(requestsOf(adapter, request)).toEqual({ code: "request_failed", message: "the adapter failed: oops" });
  const body = { id: "r", seatbid: [{ bid: [{ id: "b", impid: "1", price: 1, mtype: 1 }] }] };
  const outgoing = { method: "POST" as const, url: "", headers: {}, body: "", gzip: false, impIds: [] };
  expect(bidsOf(adapter, { ...answer, body }, request, outgoing)).toMatchObject({ code: "malformed_response" });
});

const bid = { id: "b", impid: "1:x:video", price: 1, ext: { marketplace: "m" } };
const context = { imp: undefined, answer };

test("steps change a bid, or drop it", () => {
  expect(withPriceOnly({ bid: { ...bid, price: 0 } }, context)).toBeNull();
  expect(withPriceOnly({ bid }, context)).toEqual({ bid });
  expect(seatFromExt("marketplace")({ bid, seat: "s" }, context)).toEqual({ bid, seat: "m" });
  expect(seatFromExt("other")({ bid, seat: "s" }, context)).toEqual({ bid, seat: "s" });
  expect(impIdWithout(2)({ bid }, context)?.bid.impid).toBe("1");
  expect(impIdWithout(2)({ bid: { ...bid, impid: "1" } }, context)?.bid.impid).toBe("1");
  expect(withoutExt({ bid }, context)?.bid).toEqual({ id: "b", impid: "1:x:video", price: 1 });
  const markup = { bid: { ...bid, adm: "{" }, mediaType: "native" as const };
  expect(nativeUnwrapped(markup, context)).toEqual(markup);
});

test("a media type is found by mtype, ext or imp, and never through a property of every object", () => {
  const imp = { id: "1", banner: {}, video: { mimes: [] } };
  expect(byMtype("banner")({ ...bid, mtype: 2 }, context)).toBeUndefined();
  expect(byMtype()({ ...bid, mtype: 4 }, context)).toBe("native");
  expect(byExt("constructor.name")(bid, context)).toBeUndefined();
  expect(
    byExt("marketplace", { x: "video" })({ ...bid, ext: { marketplace: "constructor" } }, context),
  ).toBeUndefined();
  expect(byExt("a", { x: "video" }, { missing: "banner" })({ ...bid, ext: { a: "y" } }, context)).toBeUndefined();
  expect(byExt("a", { x: "video" }, { missing: "banner" })(bid, context)).toBe("banner");
  expect(byImp("video", "banner")(bid, { ...context, imp })).toBe("video");
  expect(bySoleType("banner", "native")(bid, { ...context, imp })).toBe("banner");
  expect(bySoleType("banner", "video")(bid, { ...context, imp })).toBeUndefined();
});

test("a bid's mtype decides where an imp sells several media types, and is ignored where the imp does not sell that type", () => {
  const imp = { id: "1", banner: {}, video: { mimes: [] } };
  for (const rule of [byImp("video"), byImp("banner", "video"), byImp("video", "banner")]) {
    expect(rule({ ...bid, mtype: 1 }, { ...context, imp })).toBe("banner");
    expect(rule({ ...bid, mtype: 2 }, { ...context, imp })).toBe("video");
  }
  for (const mtype of [0, 3, 4, 9]) {
    expect(byImp("banner", "video")({ ...bid, mtype }, { ...context, imp })).toBe("banner");
  }
  expect(byImp("banner")({ ...bid, mtype: 1 }, context)).toBeUndefined();
});

test("the platform's node is the last of the supply chain, at the version's place", () => {
  const node = { asi: "millrace.example", sid: "1", hp: 1 };
  const first = { asi: "publisher.example", sid: "9", hp: 1 };
  const source = { schain: { ver: "1.0", complete: 1, nodes: [first] } };
  expect(withSchainNode({ ...request, source }, node, "2.6").source?.schain).toEqual({
    ...source.schain,
    nodes: [first, node],
  });
  expect(withSchainNode({ ...request, source: { ext: source } }, node, "2.5").source).toEqual({
    ext: { schain: { ...source.schain, nodes: [first, node] } },
  });
  // In the place of the name that it has elsewhere.
  const replaced = withSchainNode({ ...request, source }, node, "2.6", true).source?.schain;
  expect(replaced).toEqual({ ...source.schain, nodes: [node] });
  expect(withSchainNode(request, node, "2.6", true).source?.schain?.nodes).toEqual([node]);
});

test("the same keys are compiled once for each address of the partner, in whatever order the addresses are used", () => {
  let compiled = 0;
  const adapter = defineAdapter({
    id: "x",
    name: "X",
    mediaTypes: ["banner"],
    endpoint: "https://x.example.com",
    keys: anyKeys,
    plan: () => {
      compiled++;
      return {};
    },
  });
  const keys = {};
  const [america, europe] = [{ endpoint: "https://us.example.com" }, { endpoint: "https://eu.example.com" }];
  for (const settings of [america, europe]) adapter.prepareKeys(keys, settings);
  const urls = [america, europe, america, europe].map((settings) => {
    const ask = { request: prepareRequest(request), imps: [{ imp: request.imp[0] as Imp, keys }], settings };
    const calls = adapter.buildRequests(ask);
    return calls.ok && calls.requests[0]?.url;
  });
  expect(urls).toEqual([america, europe, america, europe].map(({ endpoint }) => endpoint));
  expect(compiled).toBe(2);
});

test("a size of 0 is a size where only a missing one counts", () => {
  const format = [{ w: 300, h: 250 }];
  const banner = bannerWith({ size: "any-null", orRefuse: true });
  expect(banner({ id: "1", banner: { w: 1, format } })).toEqual({ w: 300, h: 250, format });
  expect(banner({ id: "1", banner: { w: 0, h: 0, format } })).toBeInstanceOf(Refusal);
  const sized = bannerWith({ size: "any-null", fields: { w: 0, h: 0 } });
  expect(sized({ id: "1", banner: { format } })).toEqual({ w: 0, h: 0, format });
});

test("values in an ext are read by path, never through a property of every object", () => {
  const ext = { a: { b: [1], text: "", other: "x" } };
  expect(atPath("a.b")(ext)).toEqual([1]);
  expect(atPath("a.b.length")(ext)).toBeUndefined();
  expect(atPath("a.constructor")(ext)).toBeUndefined();
  expect(atPath("a.b")(undefined)).toBeUndefined();
  expect(textAt("a.missing", "a.text", "a.b", "a.other")(ext)).toBe("x");
  expect(textAt("a.text")(ext)).toBeUndefined();
});
