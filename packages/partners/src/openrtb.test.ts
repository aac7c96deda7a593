import { readdirSync, readFileSync } from "node:fs";
import type { BidRequest } from "@millrace/openrtb";
import { validateBidRequest } from "@millrace/openrtb";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openrtb, type OpenrtbKeys } from "./openrtb.ts";
import type { AdapterRequest, PartnerHttpRequest, PartnerSettings } from "./adapter/adapter.ts";
import { prepareRequest } from "./adapter/prepared-request.ts";

interface Fixture {
  request: BidRequest;
  settings: PartnerSettings;
  keys: Record<string, OpenrtbKeys>;
  calls: (Omit<PartnerHttpRequest, "body"> & { body: unknown })[];
  error?: unknown;
  answers: { status: number; body?: unknown; bids: unknown }[];
}

const folder = new URL("openrtb.fixtures/", import.meta.url);
const fixtures = readdirSync(folder).map((file) => {
  const fixture = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Fixture;
  return [file.replace(".json", "").replaceAll("-", " "), fixture] as const;
});

function askOf({ request, settings, keys }: Fixture): AdapterRequest {
  const imps = request.imp.map((imp) => ({ imp, keys: keys[imp.id] ?? {} }));
  return { request: prepareRequest(request), imps, settings };
}

const callOf = (ask: AdapterRequest): PartnerHttpRequest => {
  const calls = openrtb.buildRequests(ask);
  const call = calls.ok ? calls.requests[0] : undefined;
  return call ?? { method: "POST", url: "", headers: {}, body: "", gzip: false, impIds: [] };
};

/** A call in the form of the fixtures. */
function shownCall({ bodyBytes, ...call }: PartnerHttpRequest) {
  const counted = Buffer.byteLength(call.body);
  expect(bodyBytes ?? counted).toBe(counted);
  return { ...call, body: JSON.parse(call.body) as unknown };
}

test("only an ASCII body knows its length without counting", () => {
  const request: BidRequest = { id: "r", imp: [{ id: "1", banner: {}, ext: { a: "b" } }], app: { name: "App" } };
  const callFor = (of: BidRequest, keys: OpenrtbKeys) =>
    callOf({
      request: prepareRequest(of),
      imps: of.imp.map((imp) => ({ imp, keys })),
      settings: { endpoint: "https://b.example.com" },
    });
  const plain = callFor(request, { placement: "a b" });
  expect(plain.bodyBytes).toBe(Buffer.byteLength(plain.body));
  for (const call of [
    callFor({ ...request, app: { name: "Äpp" } }, {}),
    callFor({ ...request, imp: [{ id: "1", banner: {}, ext: { a: "日本" } }] }, {}),
    callFor({ ...request, imp: [{ id: "1", banner: {}, tagid: "ü" }] }, {}),
    callFor(request, { placement: "ß" }),
    callFor(request, { seat: "🚗" }),
  ]) {
    expect(call.bodyBytes).toBeUndefined();
  }
});

test.each(fixtures)("%s", (_, fixture) => {
  const before = JSON.stringify(fixture.request);
  const ask = askOf(fixture);
  const calls = openrtb.buildRequests(ask);
  const shown = calls.ok ? { ok: true, requests: calls.requests.map(shownCall) } : calls;
  expect(shown).toEqual(fixture.error ?? { ok: true, requests: fixture.calls });
  expect(JSON.stringify(fixture.request)).toBe(before);
  for (const { status, body, bids } of fixture.answers) {
    expect(openrtb.readResponse({ status, headers: {}, body }, callOf(ask), ask)).toEqual(bids);
  }
});

test.each([
  ['<VAST version="4.2"></VAST>', "video"],
  ['\n<?xml version="1.0"?>\n<vast version="2.0"></vast>', "video"],
  [' {"native": {"assets": []}}', "native"],
  ["<a href='https://shop.example'>{VAST}</a>", "banner"],
  ["", undefined],
])("the markup %s of a bid without a media type is %s", (adm, mediaType) => {
  const all = { banner: { w: 320, h: 50 }, video: { mimes: ["video/mp4"] }, native: { request: "{}" } };
  const imp = { id: "1", ...all };
  const ask: AdapterRequest = {
    request: prepareRequest({ id: "r", imp: [imp], app: {} }),
    imps: [{ imp, keys: {} }],
    settings: { endpoint: "https://b.example.com" },
  };
  const bid = { id: "b", impid: "1", price: 1, adm };
  const read = (changes: object) => {
    const body = { id: "r", bidid: "answer-7", seatbid: [{ bid: [{ ...bid, ...changes }] }] };
    const answer = openrtb.readResponse({ status: 200, headers: {}, body }, callOf(ask), ask);
    return answer.ok ? answer.bids[0] : undefined;
  };
  expect(read({})).toEqual({ bid, responseId: "answer-7", ...(mediaType && { mediaType }) });
  // The auction says what is wrong with another type.
  expect(read({ mtype: 3 })).not.toHaveProperty("mediaType");
  expect(read({ ext: { prebid: { type: "native" } } })?.mediaType).toBe("native");
});

test("partners that share a request get the same bodies as each would alone", () => {
  const request: BidRequest = {
    id: "r",
    imp: [{ id: "1", banner: { w: 320, h: 50 }, video: { mimes: ["video/mp4"] }, ext: { a: 1 } }],
    app: {},
    regs: { gdpr: 1 },
  };
  const shared = prepareRequest(request);
  for (const mediaTypes of [["banner"], ["video"], ["banner", "video"]] as const) {
    for (const openrtbVersion of ["2.5", "2.6"] as const) {
      const settings: PartnerSettings = {
        endpoint: "https://b.example.com",
        mediaTypes: [...mediaTypes],
        openrtbVersion,
      };
      const imps = request.imp.map((imp) => ({ imp, keys: { seat: `${openrtbVersion}-${mediaTypes.join("-")}` } }));
      const alone = callOf({ request: prepareRequest(request), imps, settings }).body;
      expect(callOf({ request: shared, imps, settings }).body).toBe(alone);
      expect(validateBidRequest(JSON.parse(alone)).ok).toBe(true);
    }
  }
});

test("a request with many different keys makes at most eight calls", () => {
  const imp = Array.from({ length: 100 }, (_, index) => ({ id: String(index), banner: {} }));
  const imps = imp.map((item) => ({ imp: item, keys: { seat: `s${item.id}` } }));
  const settings: PartnerSettings = { endpoint: "https://{{seat}}.b.example.com" };
  const calls = openrtb.buildRequests({ request: prepareRequest({ id: "r", imp, app: {} }), imps, settings });
  expect(calls.ok && calls.requests.map(({ impIds }) => impIds.length)).toEqual(Array.from({ length: 8 }, () => 1));
});

test("reading a response never throws", () => {
  const ask = askOf({
    request: { id: "r", imp: [{ id: "1", banner: {} }], app: {} },
    settings: { endpoint: "https://b.example.com" },
    keys: {},
    calls: [],
    answers: [],
  });
  const call = callOf(ask);
  const near = fc.record({ id: fc.constant("r"), seatbid: fc.array(fc.record({ bid: fc.array(fc.jsonValue()) })) });
  fc.assert(
    fc.property(
      fc.constantFrom(200, 204, 400, 500),
      fc.oneof(fc.jsonValue(), near, fc.constant(undefined)),
      (status, body) => {
        const read = openrtb.readResponse({ status, headers: {}, body }, call, ask);
        expect(read.ok ? read.bids.every(({ bid }) => bid.id !== "") : read.message).toBeTruthy();
      },
    ),
  );
});
