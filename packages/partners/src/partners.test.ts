import { readdirSync } from "node:fs";
import { type BidRequest, downgradeTo25, type Imp, MEDIA_TYPES } from "@millrace/openrtb";
import { describe, expect, test } from "vitest";
import type { Adapter, PartnerHttpRequest } from "./adapter/adapter.ts";
import { checkKeys } from "./adapter/check-keys.ts";
import { findAdapter, partners } from "./catalogue.ts";
import { bidsOf, requestsOf, type RequestsError } from "./requests-of.ts";
import { fixturesOf, IMPS, requestOf } from "./testing/partner-fixtures.ts";

const adapters: [string, Adapter][] = Object.entries(partners);
/** The generic adapter has fixtures of its own form, because its keys and address are anybody's. */
const named = adapters.filter(([id]) => id !== "openrtb");

const callsOf = (made: PartnerHttpRequest[] | RequestsError): PartnerHttpRequest[] => {
  if ("code" in made) throw new Error(`${made.code}: ${made.message}`);
  return made;
};

describe.each(named)("%s", (id, adapter) => {
  const fixtures = fixturesOf(id);
  test("has fixtures, one schema, and everything that the catalogue needs", () => {
    expect(fixtures).toBeDefined();
    expect(adapter.id).toBe(id);
    expect(findAdapter(id)).toBe(adapter);
    expect(adapter.mediaTypes.length).toBeGreaterThan(0);
    expect(new URL(adapter.endpoint.replaceAll("{{", "").replaceAll("}}", "")).protocol).toMatch(/^https?:$/);
    const { properties, required, anyOf = [], aliases = {} } = adapter.keysSchema;
    const used = [...required, ...anyOf.flatMap((group) => group.required), ...Object.values(aliases)];
    expect(used.filter((key) => !Object.hasOwn(properties, key))).toEqual([]);
    for (const { title, pattern } of Object.values(properties)) {
      expect(title).not.toBe("");
      if (pattern !== undefined) expect(() => new RegExp(pattern, "u")).not.toThrow();
    }
    const { keys = {} } = fixtures ?? {};
    expect(checkKeys(adapter.keysSchema, keys)).toBeNull();
    expect(Object.keys(keys).toSorted()).toEqual(Object.keys(properties).toSorted());
  });

  if (fixtures === undefined) return;
  const { keys, host: ownHost, cases } = fixtures;
  const full = (media = adapter.mediaTypes) => media.map((type) => requestOf({ imp: [IMPS[type]] }, keys));

  test.each(cases.map((each) => [each.name, each] as const))("%s", (_, each) => {
    const options = { host: { ...ownHost, ...each.host }, ...(each.ratesToUsd && { ratesToUsd: each.ratesToUsd }) };
    const request = requestOf(each.ask, each.keys ?? keys);
    const before = JSON.stringify(request);
    const made = requestsOf(adapter, request, options);
    expect(JSON.stringify(request)).toBe(before);
    if (each.refused !== undefined) {
      expect("code" in made ? made.message : made).toContain(each.refused);
      return;
    }
    const { imp: imps, ...base } = adapter.openrtbVersion === "2.5" ? downgradeTo25(request) : request;
    const expected = (each.sent ?? []).map(({ url, headers = {}, impIds, imp, changed = {} }) => ({
      url,
      headers: expect.objectContaining(headers) as unknown,
      impIds: impIds ?? imps.map((item) => item.id),
      body: {
        ...Object.fromEntries(Object.entries({ ...base, ...changed }).filter(([, value]) => value !== null)),
        imp,
      },
    }));
    const calls = callsOf(made);
    const shown = calls.map(({ url, headers, impIds, body }) => ({
      url,
      headers,
      impIds,
      body: JSON.parse(body) as unknown,
    }));
    if (each.sent !== undefined) expect(shown).toEqual(expected);
    for (const { status = 200, headers = {}, body, currency = "USD", bids = [], error } of each.answers ?? []) {
      const read = bidsOf(adapter, { status, headers, body }, request, calls[0] as PartnerHttpRequest, options);
      if (error === undefined) expect(read).toEqual({ currency, bids, malformed: expect.any(Array) as unknown });
      else expect(read).toMatchObject({ code: error });
    }
  });

  test("every key reaches the wire", () => {
    const wire = (of: BidRequest[]) => {
      const calls = of.flatMap((request) => callsOf(requestsOf(adapter, request, { host: ownHost ?? {} })));
      return calls.map(({ url, headers, body }) => decodeURIComponent(url) + JSON.stringify(headers) + body).join("\n");
    };
    const sent = wire(full());
    const lost: string[] = [];
    for (const [key, value] of Object.entries(keys)) {
      const { [key]: _, ...others } = keys;
      const texts = (Array.isArray(value) ? value : [value]).map(String);
      // A value may be sent as something else, as a position's code: then the request differs without it.
      const differs = () => wire(full().map((of) => requestOf({ imp: of.imp.map(unkeyed) }, others))) !== sent;
      if (!texts.every((text) => sent.includes(text)) && !differs()) lost.push(key);
    }
    expect(lost).toEqual([]);
  });

  test("keys that break the schema are refused with the key's name, and cost no call", () => {
    for (const key of adapter.keysSchema.required) {
      const { [key]: _, ...others } = keys;
      for (const request of full().map((of) => requestOf({ imp: of.imp.map(unkeyed) }, others))) {
        expect(requestsOf(adapter, request, { host: ownHost ?? {} })).toEqual({
          code: "request_failed",
          message: `${key} is required`,
        });
      }
    }
  });

  test("calls name the imps that they ask for, once for each media type at most", () => {
    const imp = adapter.mediaTypes.map((type, index) => ({ id: `imp-${index}`, ...IMPS[type] }));
    const request = requestOf({ imp: [...imp, { id: "all", ...Object.assign({}, ...Object.values(IMPS)) }] }, keys);
    const calls = callsOf(requestsOf(adapter, request, { host: ownHost ?? {} }));
    for (const { impIds, body } of calls) {
      const sent = (JSON.parse(body) as BidRequest).imp;
      expect(
        sent.map(({ id: sentId }) => impIds.find((each) => sentId === each || sentId.startsWith(`${each}:`))),
      ).toEqual(impIds);
      for (const of of sent)
        expect(MEDIA_TYPES.filter((type) => of[type]).every((type) => adapter.mediaTypes.includes(type))).toBe(true);
    }
    expect([...new Set(calls.flatMap(({ impIds }) => impIds))].toSorted()).toEqual(
      request.imp.map((of) => of.id).toSorted(),
    );
  });

  test("fields that 2.6 moved are at the places of the partner's version", () => {
    const [type] = adapter.mediaTypes;
    const request: BidRequest = {
      ...requestOf({ imp: [{ ...IMPS[type ?? "banner"], rwdd: 1 }] }, keys),
      source: { schain: { ver: "1.0", complete: 1, nodes: [{ asi: "schain.example.com", sid: "1", hp: 1 }] } },
      regs: { gdpr: 1, us_privacy: "1YNN" },
      user: { consent: "CONSENT", eids: [{ source: "eids.example.com", uids: [{ id: "e1" }] }] },
    };
    for (const { body } of callsOf(requestsOf(adapter, request, { host: ownHost ?? {} }))) {
      const { source, regs, user, imp } = JSON.parse(body) as BidRequest;
      expect(body).toContain("schain.example.com");
      const isNew = adapter.openrtbVersion === "2.6";
      expect([source?.schain !== undefined, regs?.gdpr, regs?.us_privacy, user?.consent, imp[0]?.rwdd]).toEqual(
        isNew ? [true, 1, "1YNN", "CONSENT", 1] : [false, undefined, undefined, undefined, undefined],
      );
      expect(user?.eids !== undefined).toBe(isNew);
      if (!isNew) {
        expect(regs?.ext).toMatchObject({ gdpr: 1, us_privacy: "1YNN" });
        expect(user?.ext).toMatchObject({ consent: "CONSENT", eids: [{ source: "eids.example.com" }] });
      }
    }
  });

  test("nothing personal that a request lacks comes back from an earlier one", () => {
    for (const whole of full()) {
      callsOf(requestsOf(adapter, whole, { host: ownHost ?? {} }));
      const { user: _, device: __, ...rest } = whole;
      const calls = callsOf(requestsOf(adapter, { ...rest, device: { os: "android" } }, { host: ownHost ?? {} }));
      for (const { headers, body, url } of calls) {
        const sent = url + JSON.stringify(headers) + body;
        expect(["Agent/1.0", "192.0.2.1", "ifa-1", "user-1", "buyer-1"].filter((text) => sent.includes(text))).toEqual(
          [],
        );
      }
    }
  });
});

const unkeyed = (imp: Imp): Partial<Imp> => Object.fromEntries(Object.entries(imp).filter(([name]) => name !== "ext"));

test("an unknown partner is an error, also one named like a property of every object", () => {
  for (const id of ["nobody", "constructor", "__proto__"]) {
    expect(requestsOf(id as "xandr", requestOf({ imp: [] }, {}))).toMatchObject({ code: "unknown_partner" });
    expect(findAdapter(id)).toBeUndefined();
  }
});

test("the catalogue has all 40 named partners, each with the two files of its id", () => {
  const ids = named.map(([id]) => id).toSorted();
  const files = readdirSync(new URL(".", import.meta.url));
  const fixtures = files.filter((file) => file.endsWith(".fixtures.json"));
  expect(ids).toHaveLength(40);
  expect(fixtures.toSorted()).toEqual(ids.map((id) => `${id}.fixtures.json`));
  expect(ids.filter((id) => !files.includes(`${id}.ts`))).toEqual([]);
});
