import type { BidRequest, Imp, User } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { partners, type PartnerId } from "../catalogue.ts";
import { fixturesOf, IMPS } from "../testing/partner-fixtures.ts";
import type { PartnerSettings } from "./adapter.ts";
import { prepareRequest } from "./prepared-request.ts";

const IDS = { Vungle: "token-of-vungle", sovrn: "id-at-sovrn", xandr: "id-at-xandr", "our-bidder": "id-at-ours" };

/** What an auction sends to a partner about this user. */
function sentTo(partner: PartnerId, user: User, named: Imp["ext"] = {}, settings: PartnerSettings = {}) {
  const { keys, host } = fixturesOf(partner) ?? { keys: {} };
  const request: BidRequest = { id: "r", imp: [{ id: "1", ...IMPS.video, ext: named }], app: { id: "a" }, user };
  const ask = {
    request: prepareRequest(request),
    imps: request.imp.map((imp) => ({ imp, keys })),
    settings: { ...host, ...settings },
  };
  const calls = partners[partner].buildRequests(ask);
  const [call] = calls.ok ? calls.requests : [];
  if (!call) throw new Error(JSON.stringify(calls));
  return { ...call, body: JSON.parse(call.body) as BidRequest };
}

const named: User = { id: "u", consent: "C", ext: { prebid: { buyeruids: IDS }, other: 1 } };

test("each partner gets its own id of the user, and none that others have", () => {
  for (const [partner, id] of Object.entries({ xandr: IDS.xandr, sovrn: IDS.sovrn, vungle: IDS.Vungle })) {
    const sent = sentTo(partner as PartnerId, named);
    const text = JSON.stringify(sent);
    expect(sent.body.user).toMatchObject({ id: "u", buyeruid: id, ext: { other: 1 } });
    expect(Object.values(IDS).filter((other) => text.includes(other))).toEqual([id]);
  }
  const { user, imp } = sentTo("vungle", named).body;
  expect(user?.ext).toEqual({ consent: "C", other: 1 });
  expect(imp[0]?.ext).toMatchObject({ vungle: { bid_token: IDS.Vungle } });
  expect(sentTo("sovrn", named).headers["cookie"]).toBe("ljt_reader=id-at-sovrn");
  expect(sentTo("pulsepoint", named).body.user).not.toHaveProperty("buyeruid");
});

test("a partner has the id of its name on the platform, not of its adapter", () => {
  const settings = { partnerId: "our-bidder", endpoint: "https://b.example.com" };
  expect(sentTo("openrtb", named, {}, settings).body.user).toEqual({
    id: "u",
    consent: "C",
    buyeruid: IDS["our-bidder"],
    ext: { other: 1 },
  });
  expect(sentTo("xandr", named, {}, { partnerId: "another" }).body.user).not.toHaveProperty("buyeruid");
});

test("an id of one buyer is sent only if the request names a single one", () => {
  const user: User = { buyeruid: "id-of-one" };
  const naming = (...names: PartnerId[]) => ({
    prebid: { bidder: Object.fromEntries(names.map((name) => [name, {}])) },
  });
  expect(sentTo("sovrn", user, naming("sovrn")).body.user).toEqual({ buyeruid: "id-of-one" });
  for (const ext of [{}, naming("sovrn", "xandr"), naming("xandr")]) {
    const { body, headers } = sentTo("sovrn", user, ext);
    expect(body).not.toHaveProperty("user");
    expect(headers).not.toHaveProperty("cookie");
  }
});
