import { expect, test } from "vitest";
import everyField from "../fixtures/app-request-with-every-field.json" with { type: "json" };
import type { BidRequest } from "./bid-request.ts";
import { downgradeTo25 } from "./downgrade.ts";
import { validateBidRequest } from "./validate-bid-request.ts";

test("fields that 2.6 added move back to their 2.5 places", () => {
  const request = structuredClone(everyField) as unknown as BidRequest;
  const before = JSON.stringify(request);
  const down = downgradeTo25(request);
  expect(down.source).toEqual({ fd: 1, tid: "tid-1", pchain: "chain", ext: { schain: request.source?.schain } });
  expect(down.regs).toEqual({ coppa: 0, ext: { gdpr: 1, us_privacy: "1YNN", gpp: "DBABMA~", gpp_sid: [2, 7] } });
  expect(down.user?.ext).toEqual({ consent: request.user?.consent, eids: request.user?.eids });
  expect(down.user).not.toHaveProperty("consent");
  expect(down.user).not.toHaveProperty("eids");
  expect(down.imp[0]).not.toHaveProperty("rwdd");
  expect(down.imp[0]?.ext).toEqual({ prebid: { bidder: { x: { placement: 1 } }, is_rewarded_inventory: 1 } });
  expect(down.app).toBe(request.app);
  expect(JSON.stringify(request)).toBe(before);
  expect(validateBidRequest(down).ok).toBe(true);
});

test("a request without such fields stays unchanged", () => {
  const request: BidRequest = {
    id: "r",
    imp: [{ id: "1", banner: {} }],
    app: {},
    regs: { coppa: 1 },
    user: { id: "u" },
  };
  expect(downgradeTo25(request)).toEqual(request);
});
