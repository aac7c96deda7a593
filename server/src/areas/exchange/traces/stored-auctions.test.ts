import type { ClickHouseClient } from "@clickhouse/client";
import { expect, test } from "vitest";
import { deferred } from "../../../platform/journal/deferred.ts";
import { gpp, tcf } from "../testing/consent-strings.ts";
import { personalRequest, type Signals, personalDataIn } from "../testing/personal-request.ts";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { type Behaviour, bidsAt, goodBid, sendBids } from "../testing/start-bidder.ts";
import { askForAd, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

test("an auction of another account, of an app that the caller does not see, and an unknown one are not found", async () => {
  await at.partner("buyer", bidsAt(2));
  await askOpenrtb(at.exchange, bannerRequest());
  const [row] = await at.exchange.rows<{ auction_id: string }>("auctions");
  const url = `/auctions/${row?.auction_id}.json`;
  expect((await at.exchange.app.inject({ method: "GET", url })).statusCode).toBe(200);
  at.owner.accountId = at.app.accountId + 1;
  expect((await at.exchange.app.inject({ method: "GET", url })).statusCode).toBe(404);
  at.owner.accountId = at.app.accountId;
  at.owner.appIds = [at.app.id + 1];
  expect((await at.exchange.app.inject({ method: "GET", url })).statusCode).toBe(404);
  at.owner.appIds = [at.app.id];
  expect((await at.exchange.app.inject({ method: "GET", url })).statusCode).toBe(200);
  at.owner.appIds = null;
  expect(
    (await at.exchange.app.inject({ method: "GET", url: "/auctions/6f9619ff-8b86-4d01-b42d-00cf4fc964ff.json" }))
      .statusCode,
  ).toBe(404);
});

test("an auction that is stored between the reads of its trace and of its requests is explained by its trace", async () => {
  await at.restart({ settings: { demo: false, traceShare: 1 }, clickhouse: storingAfterFirstRead() });
  const session = await startSession(at.exchange, at.app);
  const { auction } = await askForAd(at.exchange, session);
  const reply = await at.exchange.app.inject({ method: "GET", url: `/auctions/${auction}.json` });
  expect(reply.json()).toMatchObject({ traced: true, replays: true });
});

/** A reader of the analytical store: once it is first read, everything appended so far is stored. */
function storingAfterFirstRead(): ClickHouseClient {
  const { read } = at.stores.clickhouse;
  let reads = 0;
  const query: ClickHouseClient["query"] = async (params) => {
    const result = await read.query(params);
    if (params.query.includes("traces") && reads++ === 0) await at.exchange.statistics.flush();
    return result;
  };
  return Object.assign(Object.create(read) as ClickHouseClient, { query });
}

test("a thousand stored auctions replay to the same bytes", async () => {
  const seeded = (seed: number): Behaviour => {
    let state = seed;
    const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    return (request, reply, origin) => {
      const roll = random();
      if (roll < 0.2) reply.writeHead(204).end();
      else if (roll < 0.25) reply.writeHead(500).end();
      else if (roll < 0.35) sendBids(reply, request, [{ ...goodBid(request, origin, 1), w: 1 }]);
      else {
        const price = Math.round(random() * 300) / 100;
        sendBids(reply, request, [
          goodBid(request, origin, price),
          { ...goodBid(request, origin, price), id: "bid-2", impid: "imp-2" },
        ]);
      }
    };
  };
  // Two of three vendors are on the vendor list; one partner has no vendor id.
  const vendors = [4001, 4002, 52];
  for (let n = 0; n < 6; n++) {
    const gvlId = vendors[n % 4];
    await at.partner(`p${n}`, seeded(n + 1), gvlId === undefined ? {} : { gvl_id: gvlId });
  }
  const consent = tcf({ vendors: [52], purposes: [1, 2], interestVendors: [52], interestPurposes: [2] });
  const signals: Signals[] = [
    {},
    { device: { lmt: 1 } },
    { regs: { us_privacy: "1YYN" } },
    { regs: { gpp: gpp({ usca: { SaleOptOut: 1 } }), gpp_sid: [8] } },
    { regs: { gdpr: 1 }, consent },
    { regs: { coppa: 1 } },
  ];
  const imp = (id: string) => ({ id, banner: { format: [{ w: 320, h: 50 }] }, bidfloor: 0.3 });
  for (let batch = 0; batch < 100; batch++) {
    // Each batch has its own address, because of the limit per address.
    const headers = { "x-forwarded-for": `203.0.113.${batch}` };
    await Promise.all(
      Array.from({ length: 10 }, (_, nth) => {
        const personal = personalRequest(signals[(batch * 10 + nth) % signals.length] ?? {}, nth % 2 ? "2.5" : "2.6");
        return askOpenrtb(at.exchange, { ...personal, imp: [imp("imp-1"), imp("imp-2")] }, headers);
      }),
    );
  }
  const rows = await at.exchange.rows<{ auction_id: string; trace: string }>("traces");
  expect(rows).toHaveLength(1000);
  expect(
    new Set(rows.map(({ trace }) => (JSON.parse(trace) as { decision: { noAdReason: unknown } }).decision.noAdReason))
      .size,
  ).toBeGreaterThan(0);
  for (const { trace } of rows) expect(personalDataIn(JSON.parse(trace))).toEqual([]);
  const results: (boolean | undefined)[] = [];
  for (const { auction_id } of rows) results.push((await at.exchange.exchange.replayStored(auction_id))?.same);
  expect(results.filter((same) => same === true)).toHaveLength(1000);
}, 120_000);

test("the explanation of an auction waits until the account's earlier calls are done", async () => {
  await at.partner("buyer", bidsAt(2));
  await askOpenrtb(at.exchange, bannerRequest());
  const [row] = await at.exchange.rows<{ auction_id: string }>("auctions");
  const { turns } = at.exchange.statistics;
  const { promise, resolve } = deferred();
  const earlier = Array.from({ length: 4 }, () => turns.run(at.app.accountId, () => promise));
  let isDone = false;
  const asked = Promise.resolve(at.exchange.app.inject({ url: `/auctions/${row?.auction_id}.json` })).then((reply) => {
    isDone = true;
    return reply.statusCode;
  });
  await expect.poll(() => turns.waiting()).toBe(1);
  expect(isDone).toBe(false);
  resolve();
  await Promise.all(earlier);
  expect(await asked).toBe(200);
});

test("a waiting explanation takes no turn once its browser shows another auction", async () => {
  await at.partner("buyer", bidsAt(2));
  await askOpenrtb(at.exchange, bannerRequest());
  const [row] = await at.exchange.rows<{ auction_id: string }>("auctions");
  const { turns } = at.exchange.statistics;
  const origin = await at.exchange.app.listen({ port: 0, host: "127.0.0.1" });
  const { promise, resolve } = deferred();
  const earlier = Array.from({ length: 4 }, () => turns.run(at.app.accountId, () => promise));
  const browser = new AbortController();
  const asked = fetch(`${origin}/auctions/${row?.auction_id}.json`, { signal: browser.signal });
  await expect.poll(() => turns.waiting()).toBe(1);
  browser.abort();
  await expect(asked).rejects.toThrow("aborted");
  await expect.poll(() => turns.waiting()).toBe(0);
  resolve();
  await Promise.all(earlier);
});
