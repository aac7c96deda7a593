import { decodeTrace, replay } from "@millrace/auction";
import type { BidResponse } from "@millrace/openrtb";
import { expect, onTestFinished, test } from "vitest";
import { partnerConfigOf } from "../config/app-config.ts";
import { routeIn } from "../config/snapshot.ts";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt, startBidder } from "../testing/start-bidder.ts";
import { askForAd, startSession } from "../testing/start-exchange.ts";
import { somePartner } from "../../../testing/some-partner.ts";

const at = await exchangeForEachTest();

/** Sets where a partner is asked; null for everywhere. */
async function buysIn(id: string, regions: string[] | null, endpoints: Record<string, string> = {}): Promise<void> {
  const values = [id, regions, endpoints];
  await at.stores.pg.pool.query("UPDATE partners SET regions = $2, region_endpoints = $3 WHERE id = $1", values);
  await at.exchange.exchange.reloadConfig();
}

/** A request from a country; null for one that nobody knows. */
const askFrom = (country: string | null): Promise<BidResponse> => {
  const { device, ...request } = bannerRequest();
  const place = country === null ? { ip: "10.0.0.1" } : { geo: { country } };
  return askOpenrtb(at.exchange, { ...request, device: { ...device, ip: undefined, ...place } });
};

const priceOf = ({ seatbid }: BidResponse) => seatbid?.[0]?.bid[0]?.price;

test("a German request goes to the European endpoint, and an American one nowhere; the trace says why", async () => {
  await at.restart({ settings: { traceShare: 1 } });
  const main = await at.partner("worldly", bidsAt(1));
  const europe = await startBidder(bidsAt(2));
  onTestFinished(() => europe.close());
  await buysIn("worldly", ["emea"], { emea: europe.endpoint });
  expect([priceOf(await askFrom("DEU")), priceOf(await askFrom("USA"))]).toEqual([2, undefined]);
  expect([main.requests.length, europe.requests.length]).toEqual([0, 1]);
  const traces = await at.exchange.rows<{ trace: string }>("traces");
  const [german, american] = traces.map(({ trace }) => new TextEncoder().encode(trace));
  if (!german || !american) throw new Error("there are no traces");
  expect(decodeTrace(german).decision.refused).toEqual([]);
  expect(decodeTrace(american).decision).toMatchObject({
    refused: [{ participantId: "worldly", reason: "region_unsupported" }],
    noAdReason: "no_partner_ready",
  });
  expect([replay(german), replay(american)]).toEqual([
    expect.objectContaining({ same: true }),
    expect.objectContaining({ same: true }),
  ]);
});

test("where a partner has no endpoint of its own, the main one is asked", async () => {
  const main = await at.partner("worldly", bidsAt(1));
  const asia = await startBidder(bidsAt(2));
  onTestFinished(() => asia.close());
  await buysIn("worldly", null, { apac: asia.endpoint });
  expect([priceOf(await askFrom("FRA")), priceOf(await askFrom("IND")), priceOf(await askFrom("BRA"))]).toEqual([
    1, 2, 1,
  ]);
  expect([main.requests.length, asia.requests.length]).toEqual([2, 1]);
});

test("without a known country, only partners of all regions are asked, at their main endpoint", async () => {
  const everywhere = await at.partner("everywhere", bidsAt(1));
  const european = await at.partner("european", bidsAt(3));
  const asia = await startBidder(bidsAt(2));
  onTestFinished(() => asia.close());
  await buysIn("everywhere", null, { americas: asia.endpoint, emea: asia.endpoint, apac: asia.endpoint });
  await buysIn("european", ["emea"]);
  expect(priceOf(await askFrom(null))).toBe(1);
  expect([everywhere.requests.length, european.requests.length, asia.requests.length]).toEqual([1, 0, 0]);
});

test("a bidder's notice reaches its regional endpoint in our own network, and no other bidder's", async () => {
  await at.restart({ geo: () => "DE" });
  await at.partner("worldly", bidsAt(1));
  await at.partner("other", bidsAt(1));
  const europe = await startBidder(bidsAt(2));
  // It bids with notices to the regional endpoint of another partner.
  const thief = await startBidder((request, reply) => bidsAt(3)(request, reply, europe.origin));
  for (const { close } of [europe, thief]) onTestFinished(close);
  await buysIn("worldly", null, { emea: europe.endpoint });
  const winner = async () => {
    const { ads } = await askForAd(at.exchange, await startSession(at.exchange, at.app));
    await at.exchange.exchange.drain();
    return ads[0]?.revenue_micros;
  };
  expect([await winner(), europe.notices.length]).toEqual([1600, 1]);
  expect(europe.notices[0]).toMatch(/^\/win\?price=2&/);
  await buysIn("other", null, { emea: thief.endpoint });
  expect([await winner(), europe.notices.length]).toEqual([2400, 1]);
});

test("each region's address and origin are compiled with the configuration", () => {
  const config = partnerConfigOf(
    somePartner({
      id: "worldly",
      endpoint: "https://us.example/bid",
      regions: ["americas", "emea"],
      region_endpoints: { emea: "https://eu.example:8443/bid", apac: "https://sg.example/bid" },
    }),
  );
  if (!config) throw new Error("there is no adapter");
  const addressIn = (region: string | undefined) => {
    const { settings, origin } = routeIn(config, region);
    return [settings.endpoint, origin];
  };
  expect(addressIn("emea")).toEqual(["https://eu.example:8443/bid", "https://eu.example:8443"]);
  for (const region of ["americas", undefined, "atlantis", "apac"]) {
    expect(addressIn(region)).toEqual(["https://us.example/bid", "https://us.example"]);
  }
  expect(routeIn(config, "emea")).toBe(routeIn(config, "emea"));
  expect([...config.origins]).toEqual(["https://us.example", "https://eu.example:8443"]);
  expect(partnerConfigOf(somePartner({ id: "plain" }))).not.toHaveProperty("regions");
});
