import { expect, test } from "vitest";
import everyField from "../fixtures/app-request-with-every-field.json" with { type: "json" };
import type { BidRequest } from "./bid-request.ts";
import { downgradeTo25 } from "./downgrade.ts";
import { upgradeTo26 } from "./upgrade.ts";
import { validateBidRequest } from "./validate-bid-request.ts";

const full = (): BidRequest => structuredClone<unknown>(everyField) as BidRequest;

test("values that 2.5 clients send in extensions are copied to their 2.6 places", () => {
  const request = full();
  const old = downgradeTo25(request);
  const before = JSON.stringify(old);
  const { source, regs, user, imp } = upgradeTo26(old);
  expect(source?.schain).toEqual(request.source?.schain);
  expect(regs).toMatchObject({ coppa: 0, gdpr: 1, us_privacy: "1YNN", gpp: "DBABMA~", gpp_sid: [2, 7] });
  expect(user).toMatchObject({ consent: request.user?.consent, eids: request.user?.eids });
  expect(imp[0]?.rwdd).toBe(1);
  expect(user?.ext).toEqual(old.user?.ext);
  expect(JSON.stringify(old)).toBe(before);
  expect(validateBidRequest(upgradeTo26(old)).ok).toBe(true);
});

test("a value at its 2.6 place wins, and a request without extensions stays the same object", () => {
  const request = { ...full(), regs: { gdpr: 0, ext: { gdpr: 1 } } };
  expect(upgradeTo26(request).regs?.gdpr).toBe(0);
  const plain: BidRequest = { id: "r", imp: [{ id: "1", banner: {} }], app: {}, regs: { gdpr: 1 } };
  expect(upgradeTo26(plain)).toBe(plain);
});

test("an empty value at its 2.6 place does not hide one in extensions, nor erase it on the way back", () => {
  const signals = { us_privacy: "1YYN", gpp: "DBABMA~", gpp_sid: [7] };
  const told = { consent: "CPc", eids: [{ source: "ids.example", uids: [{ id: "1" }] }] };
  const request: BidRequest = {
    id: "r",
    imp: [{ id: "1", banner: {} }],
    regs: { us_privacy: "", gpp: "", gpp_sid: [], ext: signals },
    user: { consent: "", eids: [], ext: told },
  };
  const { regs, user } = upgradeTo26(request);
  expect(regs).toEqual({ ...signals, ext: signals });
  expect(user).toEqual({ ...told, ext: told });
  for (const old of [downgradeTo25(request), downgradeTo25(upgradeTo26(request))]) {
    expect([old.regs, old.user]).toEqual([{ ext: signals }, { ext: told }]);
  }
  const empty: BidRequest = { ...request, regs: { us_privacy: "", ext: { us_privacy: "" } }, user: { eids: [] } };
  expect(upgradeTo26(empty)).toBe(empty);
});

test("nulls in extensions count as absent, and are not copied with their values", () => {
  const nodes = [{ asi: "games.example", sid: "1", hp: 1, rid: null, domain: null }];
  const uids = [{ id: "1", atype: null }];
  const request = {
    id: "r",
    imp: [{ id: "1", banner: { w: 320, h: 50 } }],
    source: { ext: { schain: { ver: "1.0", complete: 1, nodes } } },
    regs: { ext: { gdpr: null } },
    user: { ext: { consent: null, eids: [{ source: "ids.example", inserter: null, uids }] } },
  };
  const verdict = validateBidRequest(request);
  const { source, regs, user } = upgradeTo26(verdict.ok ? verdict.request : expect.fail(verdict.error.path));
  expect(source?.schain?.nodes).toEqual([{ asi: "games.example", sid: "1", hp: 1 }]);
  expect(regs).toEqual({ ext: { gdpr: null } });
  expect(user).toEqual({ ext: request.user.ext, eids: [{ source: "ids.example", uids: [{ id: "1" }] }] });
});

test("a value of the wrong type stays where it is", () => {
  const odd: BidRequest = {
    id: "r",
    imp: [{ id: "1", banner: {}, ext: { prebid: { is_rewarded_inventory: "yes" } } }],
    regs: { ext: { gdpr: "1", gpp_sid: [null] } },
    user: { ext: { consent: 7, eids: {} } },
    source: { ext: { schain: { nodes: [] } } },
  };
  expect(upgradeTo26(odd)).toBe(odd);
});
