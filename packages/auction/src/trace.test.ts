import * as fc from "fast-check";
import { expect, test } from "vitest";
import fixture from "../fixtures/the-highest-bid-wins-and-pays-its-own-price.json" with { type: "json" };
import { canonicalJson, firstDifference } from "./canonical-json.ts";
import type { AuctionInput } from "./input.ts";
import type { PartnerResponse } from "./response.ts";
import { decodeTrace, encodeTrace, replay, type Trace, traceOf } from "./trace.ts";

const trace = (): Trace =>
  traceOf(
    structuredClone(fixture.input) as unknown as AuctionInput,
    structuredClone(fixture.responses) as PartnerResponse[],
  );
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

test("a trace is read back as it was written", () => {
  expect(encodeTrace(decodeTrace(encodeTrace(trace())))).toEqual(encodeTrace(trace()));
});

test("whatever a request brings along, its trace is held again to the same bytes", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.uniqueArray(fc.string(), { maxLength: 4 }),
      (ext, ids) => {
        const input = structuredClone(fixture.input) as unknown as AuctionInput;
        const [imp] = input.request.imp;
        // As received: a key may be `__proto__`, or a number, which objects order differently.
        input.request = JSON.parse(
          JSON.stringify({ ...input.request, ext, imp: [imp, ...ids.map((id) => ({ ...imp, id: `x${id}` }))] }),
        ) as AuctionInput["request"];
        const bytes = encodeTrace(traceOf(input, structuredClone(fixture.responses) as PartnerResponse[]));
        expect(replay(bytes)).toMatchObject({ same: true, path: null });
      },
    ),
  );
});

test("a trace of before, with its keys in order, is held again to the same bytes", () => {
  expect(replay(bytesOf(canonicalJson(trace())))).toMatchObject({ same: true, path: null });
  const changed = trace();
  changed.decision.test = true;
  expect(replay(bytesOf(canonicalJson(changed)))).toMatchObject({ same: false, path: "decision.test" });
});

test("a changed decision is found at its field", () => {
  const changed = trace();
  const winner = changed.decision.imps[0]?.order[0];
  if (winner !== undefined) winner.priceMicros += 1;
  expect(replay(encodeTrace(changed))).toMatchObject({ same: false, path: "decision.imps[0].order[0].priceMicros" });
});

test("a changed input gives another decision", () => {
  const changed = trace();
  changed.input.app.floors = [{ floorMicros: 5_000_000 }];
  const { same, path, decision } = replay(encodeTrace(changed));
  expect([same, path?.startsWith("decision."), decision?.noAdReason]).toEqual([false, true, "no_bid_above_floor"]);
});

test("bytes of the same values in another spelling are not the same bytes", () => {
  expect(replay(bytesOf(JSON.stringify(trace(), null, 1)))).toMatchObject({ same: false, path: "" });
});

test.each([
  "",
  "{",
  "null",
  "[]",
  "1",
  "{}",
  '{"version":2}',
  '{"version":1}',
  '{"version":1,"input":{},"responses":[],"decision":{}}',
  '{"version":1,"input":{},"decision":{}}',
])("%s is no trace and nothing throws", (text) => {
  expect(replay(bytesOf(text))).toEqual({ same: false, path: "", decision: null });
});

test("canonical JSON says what JSON says, whatever order the keys were set in", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
  );
  expect(canonicalJson({ b: 1, a: undefined, c: [undefined, Number.NaN, -0] })).toBe('{"b":1,"c":[null,null,0]}');
  const hostile: unknown = JSON.parse('{"b":1,"__proto__":{"a":2},"10":3,"9":4}');
  expect(canonicalJson(hostile)).toBe('{"10":3,"9":4,"__proto__":{"a":2},"b":1}');
});

test.each([
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, "a[1].b"],
  [[1, 2], [1, 2, 3], "[2]"],
  [{ a: 1 }, {}, "a"],
  [{ a: [] }, { a: {} }, "a"],
  [{ a: null }, { a: {} }, "a"],
  [1, 1, null],
  [1, 2, ""],
])("the first difference of %j and %j", (a, b, path) => {
  expect(firstDifference(a, b)).toBe(path);
});
