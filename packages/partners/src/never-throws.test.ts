import { type BidRequest, isObject } from "@millrace/openrtb";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Adapter, PartnerHttpRequest } from "./adapter/adapter.ts";
import { partners } from "./catalogue.ts";
import { bidsOf, requestsOf } from "./requests-of.ts";
import { fixturesOf, IMPS, requestOf } from "./testing/partner-fixtures.ts";

const anyField = fc.oneof(
  { maxDepth: 3 },
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>("x:y", -1, "USD", NaN),
);
const shape = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });
const anyImp = shape({
  id: fc.oneof(fc.constantFrom("1", "2"), anyField),
  banner: anyField,
  video: anyField,
  native: fc.oneof(anyField, shape({ request: anyField })),
  bidfloor: anyField,
  bidfloorcur: anyField,
  ext: fc.oneof(anyField, shape({ bidder: anyField, prebid: anyField })),
});
const anyRequest = fc.oneof(
  anyField,
  fc.record(
    {
      id: fc.oneof(fc.constant("r1"), anyField),
      imp: fc.oneof(fc.array(anyImp, { maxLength: 4 }), anyField),
      app: anyField,
      site: anyField,
      user: anyField,
      device: anyField,
      source: anyField,
      regs: anyField,
      ext: anyField,
    },
    { requiredKeys: ["id", "imp"] },
  ),
);
const anyBid = shape({
  id: fc.constant("b"),
  impid: fc.constantFrom("1", "1:opa:video", "?"),
  price: anyField,
  adm: anyField,
  mtype: anyField,
  ext: anyField,
});
const anyBody = fc.oneof(
  anyField,
  fc.record(
    {
      id: fc.constantFrom<unknown>("r1", 1),
      cur: anyField,
      seatbid: fc.array(fc.record({ bid: fc.array(anyBid), seat: anyField }), { maxLength: 3 }),
    },
    { requiredKeys: [] },
  ),
);

test.each<[string, Adapter]>(Object.entries(partners))(
  "%s never throws, whatever the request, the keys and the response are",
  (id, adapter) => {
    const { keys } = fixturesOf(id) ?? { keys: {} };
    const sound = requestOf({ imp: Object.values(IMPS) }, keys);
    fc.assert(
      fc.property(
        anyRequest,
        anyBody,
        fc.constantFrom(200, 204, 500),
        fc.boolean(),
        (request, body, status, withKeys) => {
          const asked = withKeys ? withTheseKeys(request, keys) : request;
          const made = requestsOf(adapter, asked as BidRequest, { host: { endpoint: "https://b.example.com" } });
          for (const call of "code" in made ? [] : made) expect(() => JSON.parse(call.body) as unknown).not.toThrow();
          const outgoing: PartnerHttpRequest = {
            method: "POST",
            url: "",
            headers: {},
            body: "",
            gzip: false,
            impIds: ["1"],
          };
          const read = bidsOf(adapter, { status, headers: {}, body }, sound, outgoing);
          if (!("code" in read)) expect(read.bids.every(({ bid }) => typeof bid.id === "string")).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  },
);

function withTheseKeys(request: unknown, keys: object): unknown {
  const { imp } = (request ?? {}) as { imp?: unknown };
  if (!Array.isArray(imp)) return request;
  const keyed: unknown[] = imp.map((of: unknown) => (isObject(of) ? { ...of, id: "1", ext: { bidder: keys } } : of));
  return { ...(request as object), imp: keyed };
}
