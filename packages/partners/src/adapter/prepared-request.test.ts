import type { BidRequest, Eid, User } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { openrtb } from "../openrtb.ts";
import type { PartnerSettings } from "./adapter.ts";
import { prepareRequest } from "./prepared-request.ts";

/** What an auction sends to a bidder of its own name. */
function sentTo(partnerId: string, request: Partial<BidRequest>, settings: PartnerSettings = {}): BidRequest {
  const whole: BidRequest = { id: "r", imp: [{ id: "1", banner: { w: 320, h: 50 } }], app: { id: "a" }, ...request };
  const calls = openrtb.buildRequests({
    request: prepareRequest(whole),
    imps: whole.imp.map((imp) => ({ imp, keys: {} })),
    settings: { endpoint: "https://b.example.com", partnerId, ...settings },
  });
  const [call] = calls.ok ? calls.requests : [];
  if (!call) throw new Error(JSON.stringify(calls));
  return JSON.parse(call.body) as BidRequest;
}

test("deals are announced at the price type that they are charged at", () => {
  const deals = [{ id: "second", bidfloor: 1, at: 2 }, { id: "fixed", bidfloor: 1, at: 3 }, { id: "open" }];
  const imp = [{ id: "1", banner: { w: 320, h: 50 }, pmp: { private_auction: 1, deals } }];
  const sent = sentTo("one", { at: 2, imp });
  expect(sent.at).toBe(1);
  expect(sent.imp[0]?.pmp).toEqual({ private_auction: 1, deals: [{ ...deals[0], at: 1 }, deals[1], deals[2]] });
  expect(imp[0]?.pmp.deals[0]?.at).toBe(2);
});

test("nobody is told that a play counts as several impressions, because it is paid as one", () => {
  const imp = [
    { id: "1", banner: { w: 1920, h: 1080 }, qty: { multiplier: 30 }, ext: { qty: { multiplier: 30 }, a: 1 } },
  ];
  expect(sentTo("one", { imp }).imp).toEqual([{ id: "1", banner: { w: 1920, h: 1080 }, ext: { a: 1, bidder: {} } }]);
});

const [secret, open]: Eid[] = [
  { source: "secret.example", uids: [{ id: "s" }] },
  { source: "open.example", uids: [{ id: "o" }] },
];
const permit = (...eidpermissions: unknown[]) => ({ ext: { prebid: { data: { eidpermissions } } } });
const toOne = permit({ source: "secret.example", bidders: ["One"] });
const users: User[] = [
  { id: "u", eids: [secret, open] as Eid[] },
  { id: "u", ext: { eids: [secret, open], a: 1 } },
];

test.each(users)("extended ids reach only the bidders that the publisher has named for their source: %j", (user) => {
  const seen = (name: string, settings: PartnerSettings = {}, permissions: object = toOne) => {
    const { user: told } = sentTo(name, { user, ...permissions }, settings);
    return [told?.eids ?? [], told?.ext?.["eids"] ?? []].flatMap((eids) => (eids as Eid[]).map(({ source }) => source));
  };
  for (const version of ["2.5", "2.6"] as const) {
    expect(seen("two", { openrtbVersion: version })).not.toContain("secret.example");
    expect(seen("two", { openrtbVersion: version })).toContain("open.example");
    expect(seen("one", { openrtbVersion: version })).toEqual(
      expect.arrayContaining(["secret.example", "open.example"]),
    );
  }
  expect(seen("two", {}, permit({ source: "secret.example", bidders: ["*"] }))).toContain("secret.example");
  expect(seen("two", {}, permit(null, 7, { source: 1 }, "x"))).toContain("secret.example");
  // What cannot be read permits nobody.
  for (const bidders of [undefined, "one", [], [7]])
    expect(seen("one", {}, permit({ source: "secret.example", bidders }))).not.toContain("secret.example");
});
