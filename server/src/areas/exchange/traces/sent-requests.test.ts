import { explainAuction } from "@millrace/contract";
import type { BidRequest } from "@millrace/openrtb";
import { dayOf } from "@millrace/units";
import { expect, test } from "vitest";
import { noteRates } from "../../demand-partners/index.ts";
import { keyringOf } from "../delivery/secrets.ts";
import { recordableRequest } from "../privacy/recordable-request.ts";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { gpp } from "../testing/consent-strings.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { personalRequest, type Signals } from "../testing/personal-request.ts";
import { bidsAt } from "../testing/start-bidder.ts";
import { ANDROID_UA } from "../testing/start-exchange.ts";
import { recordedRequest } from "./recorded-wire.ts";

const at = await exchangeForEachTest();
const keyring = keyringOf(["a secret of thirty-two characters, or more"]);

/** What the explanation shows of the requests to a partner. */
async function sentTo(provider: string) {
  const [row] = await at.exchange.rows<{ auction_id: string }>("auctions");
  const reply = await at.exchange.app.inject({ method: "GET", url: `/auctions/${row?.auction_id}.json` });
  const { participants } = explainAuction.reply.parse(reply.json());
  return participants.find((each) => each.provider === provider)?.calls.map(({ sent }) => sent);
}

test.each(["2.5", "2.6"] as const)(
  "a request in OpenRTB %s is shown as the bidder got it, byte by byte",
  async (version) => {
    const bidder = await at.partner("buyer", bidsAt(2), { openrtb_version: version });
    // An address without its last part is stored as it is.
    const device = { ua: ANDROID_UA, ip: "8.8.8.0", os: "Android" };
    await askOpenrtb(at.exchange, bannerRequest({ device, bcat: ["IAB7-39"], regs: { gdpr: 0 } }));
    const [sent] = (await sentTo("buyer")) ?? [];
    expect(sent?.version).toBe(version);
    expect(JSON.stringify(sent?.body)).toBe(JSON.stringify(bidder.requests[0]));
  },
);

test.each<[string, Signals]>([
  ["without a privacy signal", {}],
  ["with limited ad tracking", { device: { lmt: 1 } }],
  ["of a child", { regs: { coppa: 1 } }],
  ["with US Privacy in GPP alone", { regs: { gpp: gpp({ uspv1: { Notice: "Y", OptOutSale: "Y" } }), gpp_sid: [6] } }],
])("a request %s is shown as the bidder got it, but for what is removed before storage", async (_, signals) => {
  const bidder = await at.partner("buyer", bidsAt(2));
  await askOpenrtb(at.exchange, personalRequest(signals, "2.6"));
  const [sent] = (await sentTo("buyer")) ?? [];
  const got = bidder.requests[0] as BidRequest;
  const request = recordableRequest(got, keyring);
  expect(JSON.stringify(sent?.body)).toBe(JSON.stringify(recordedRequest({ request })));
});

test("a floor that the adapter converts is shown at the rate of the auction", async () => {
  const rate = { currency: "EUR", day: dayOf(Date.now()), usd: 1.1 };
  await noteRates(at.stores.pg.pool, [rate], { source: "hand", at: new Date() });
  const bidder = await at.partner("yieldmo", bidsAt(2), { kind: "yieldmo", keys: { placementId: "3" } });
  // An address without its last part is stored as it is.
  const device = { ua: ANDROID_UA, ip: "8.8.8.0", os: "Android" };
  const imp = bannerRequest().imp.map((each) => ({ ...each, bidfloor: 1, bidfloorcur: "EUR" }));
  await askOpenrtb(at.exchange, bannerRequest({ device, imp }));
  expect(bidder.requests[0]?.imp[0]).toMatchObject({ bidfloor: 1.1, bidfloorcur: "USD" });
  const [sent] = (await sentTo("yieldmo")) ?? [];
  expect(JSON.stringify(sent?.body)).toBe(JSON.stringify(bidder.requests[0]));
});

test("a request is not made again from other keys or settings than the auction's", async () => {
  await at.partner("buyer", bidsAt(2));
  await askOpenrtb(at.exchange, bannerRequest());
  expect(await sentTo("buyer")).not.toEqual([null]);
  await at.partner("another", bidsAt(2));
  expect(await sentTo("buyer")).toEqual([null]);
});

test("a request with keys of its own is not made again", async () => {
  const bidder = await at.partner("buyer", bidsAt(2));
  const { imp, ...rest } = bannerRequest();
  const ext = { prebid: { bidder: { buyer: { placement: "of-the-request" } } } };
  await askOpenrtb(at.exchange, { ...rest, imp: imp.map((each) => ({ ...each, ext })) });
  expect(bidder.requests).toHaveLength(1);
  expect(await sentTo("buyer")).toEqual([null]);
});

test("readers who may not see the app's keys see no request with them", async () => {
  await at.partner("buyer", bidsAt(2));
  await askOpenrtb(at.exchange, bannerRequest());
  for (const reader of [{ role: "GST" }, { role: "SDEV" }, { role: "owner", byToken: true }] as const) {
    Object.assign(at.owner, { byToken: false, ...reader });
    expect(await sentTo("buyer")).toEqual([null]);
  }
  Object.assign(at.owner, { role: "manager", byToken: false });
  expect(await sentTo("buyer")).not.toEqual([null]);
});
