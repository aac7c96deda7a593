import {
  type AuctionInput,
  decideAuction,
  type FloorDraw,
  decodeTrace,
  offersOf,
  priceToMicros,
  replay,
} from "@millrace/auction";
import type { BidRequest } from "@millrace/openrtb";
import { partners, prepareRequest } from "@millrace/partners";
import { dayOf } from "@millrace/units";
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { noteRates } from "../../demand-partners/index.ts";
import { withFloors } from "../facts/with-floors.ts";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { type Behaviour, goodBid, sendBody } from "../testing/start-bidder.ts";

const at = await exchangeForEachTest();

const CURRENCIES = ["USD", "EUR", "GBP", "JPY", "IDR", "KWD"] as const;
/** From a rupiah to a dinar, with digits as a bank publishes them. */
const rate = fc.double({ min: -5, max: 0.6, noNaN: true }).map((power) => Number((10 ** power).toPrecision(6)));

test("a price that equals the floor that a partner was sent always passes, in any currency", () => {
  const floors = fc.record({
    own: fc.option(fc.integer({ min: 1, max: 900_000_000 }).map((micros) => micros / 1e6)),
    ownCurrency: fc.constantFrom(...CURRENCIES),
    publisher: fc.nat(900_000_000),
    /** Of an automatic floor. */
    drawn: fc.option(fc.nat(900_000_000), { nil: 0 }),
    currency: fc.constantFrom(...CURRENCIES),
    rates: fc.record({ EUR: rate, GBP: rate, JPY: rate, IDR: rate, KWD: rate }),
  });
  fc.assert(
    fc.property(floors, ({ own, ownCurrency, publisher, drawn, currency, rates }) => {
      const imp = {
        id: "1",
        banner: { w: 320, h: 50 },
        ...(own !== null && { bidfloor: own, bidfloorcur: ownCurrency }),
      };
      const about = { app: { floors: [{ floorMicros: publisher }] }, device: { country: "DE" }, ratesToUsd: rates };
      const asked: BidRequest = { id: "r", imp: [imp] };
      const floorDraws: FloorDraw[] = [
        { impId: "1", arm: "learned", step: 1, probability: 0.21, floorMicros: Math.max(drawn, publisher) },
      ];
      const { request, offers } = withFloors(asked, offersOf({ request: asked, floorDraws, ...about }), rates);
      // No price is that high.
      fc.pre((offers[0]?.floorMicros ?? 0) < 10_000_000_000);
      const calls = partners.openrtb.buildRequests({
        request: prepareRequest(request),
        imps: request.imp.map((each) => ({ imp: each, keys: {} })),
        settings: { endpoint: "https://bids.example/", currency },
        ratesToUsd: rates,
      });
      const sent = calls.ok ? (JSON.parse(calls.requests[0]?.body ?? "") as BidRequest).imp[0] : undefined;
      const floor = sent?.bidfloor ?? 0;
      const price = priceToMicros(floor === 0 ? 0.01 : floor);
      const input = { ...inputOf(request, currency, { rates, publisher }), floorDraws };
      expect(offersOf(input)).toEqual(offers);
      const bid = {
        bidId: "b",
        impId: "1",
        priceMicros: price,
        cur: currency,
        mtype: 1 as const,
        w: 320,
        h: 50,
        markupLength: 9,
      };
      const decision = decideAuction(input, [
        { participantId: "p", call: 0, status: "bid", latencyMs: 1, httpStatus: 200, bids: [bid] },
      ]);
      if (floor > 0) expect(sent?.bidfloorcur ?? "USD").toBe(currency);
      expect([floor, decision.bids[0]?.reason]).toEqual([floor, null]);
    }),
    { numRuns: 2000 },
  );
});

const inputOf = (
  request: BidRequest,
  currency: string,
  { rates, publisher }: { rates: Record<string, number>; publisher: number },
): AuctionInput => ({
  id: "a",
  at: 0,
  seed: "a",
  configVersion: "1",
  deadlineMs: 100,
  request,
  app: {
    id: "app",
    live: true,
    blockedCategories: [],
    blockedAdvertisers: [],
    floors: [{ floorMicros: publisher }],
    childDirected: false,
  },
  device: { country: "DE", platform: "android", osVersion: null, network: null },
  consent: { gdprApplies: false, vendorIds: [] },
  participants: [
    {
      kind: "bidding",
      id: "p",
      name: "P",
      mediaTypes: ["banner"],
      enabled: true,
      hasKeys: true,
      breaker: "closed",
      currencies: [currency],
      acceptsChildDirected: true,
    },
  ],
  ratesToUsd: rates,
});

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => dayOf(Date.now() - days * DAY_MS);

async function noteRate(currency: string, usd: number, day = daysAgo(0)): Promise<void> {
  const noted = { source: "hand", at: new Date() } as const;
  await noteRates(at.stores.pg.pool, [{ currency, day, usd }], noted);
  await at.exchange.exchange.reloadConfig();
}

async function setCurrency(id: string, currency: string, bidCurrency: string | null = null): Promise<void> {
  await at.stores.pg.pool.query("UPDATE partners SET currency = $2, bid_currency = $3 WHERE id = $1", [
    id,
    currency,
    bidCurrency,
  ]);
  await at.exchange.exchange.reloadConfig();
}

const bidsIn =
  (currency: string | undefined, price: number): Behaviour =>
  (request, reply, origin) =>
    sendBody(
      reply,
      JSON.stringify({ id: request.id, cur: currency, seatbid: [{ bid: [goodBid(request, origin, price)] }] }),
    );

interface Traced {
  trace: string;
}
async function lastTrace() {
  const { trace = "" } = (await at.exchange.rows<Traced>("traces")).at(-1) ?? {};
  const bytes = new TextEncoder().encode(trace);
  return { bytes, ...decodeTrace(bytes) };
}

test("a partner is asked in its currency, pays by the rate of the day, and hears the price that it bid", async () => {
  await at.stores.pg.pool.query("TRUNCATE currency_rates");
  await noteRate("EUR", 1.0545);
  await noteRate("CHF", 1.12);
  const euro = await at.partner("euro", bidsIn("EUR", 2));
  await at.partner("dollar", bidsIn("USD", 2.1));
  await setCurrency("euro", "EUR");
  await at.stores.pg.pool.query("INSERT INTO floors (app_id, floor_micros) VALUES ($1, 1000000)", [at.app.id]);
  await at.exchange.exchange.reloadConfig();
  const response = await askOpenrtb(at.exchange, bannerRequest());
  const best = response.seatbid?.flatMap(({ bid }) => bid)[0];
  expect([response.cur, best?.price]).toEqual(["USD", 2.109]);
  expect(euro.requests[0]).toMatchObject({ cur: ["EUR"], imp: [{ bidfloor: 0.948317, bidfloorcur: "EUR" }] });
  await at.exchange.exchange.drain();
  await vi.waitFor(() => expect(euro.notices).toHaveLength(1));
  expect(euro.notices[0]).toMatch(/^\/win\?price=2&/);
  const { bytes, input } = await lastTrace();
  // Of the rates, those that the auction could meet.
  expect(input.ratesToUsd).toEqual({ EUR: 1.0545 });
  expect(replay(bytes)).toMatchObject({ same: true });
  const [row] = await at.exchange.rows<{ asked: string[]; bids_micros: string[]; price_micros: string }>("auctions");
  expect(row?.price_micros).toBe("2109000");
  expect(row?.bids_micros[row.asked.indexOf("euro")]).toBe("2109000");
});

test("without a rate of the last days, a partner is not asked and a bid is refused, each with its reason", async () => {
  await at.stores.pg.pool.query("TRUNCATE currency_rates");
  await at.restart({ settings: { rateDays: 3 } });
  const euro = await at.partner("euro", bidsIn("EUR", 2));
  await at.partner("pound", bidsIn(undefined, 2));
  await setCurrency("euro", "EUR");
  await setCurrency("pound", "USD", "GBP");
  await noteRate("EUR", 1.05, daysAgo(3));
  await noteRate("GBP", 1.25, daysAgo(400));
  await askOpenrtb(at.exchange, bannerRequest());
  expect(euro.requests).toEqual([]);
  const { decision, bytes } = await lastTrace();
  expect(decision.refused).toEqual([{ participantId: "euro", reason: "no_currency_rate" }]);
  expect(decision.bids).toMatchObject([{ participantId: "pound", reason: "no_currency_rate" }]);
  expect(replay(bytes)).toMatchObject({ same: true });
  await noteRate("EUR", 1.05, daysAgo(2));
  expect((await askOpenrtb(at.exchange, bannerRequest())).seatbid?.[0]?.seat).toBe("euro");
});

test("a bid in a currency that was not offered is refused, although there is a rate", async () => {
  await noteRate("EUR", 1.05);
  await at.partner("liar", bidsIn("EUR", 2));
  expect((await askOpenrtb(at.exchange, bannerRequest())).seatbid).toBeUndefined();
  expect((await lastTrace()).decision.bids).toMatchObject([{ reason: "wrong_currency" }]);
});

test("a caller that does not take dollars gets no answer in them", async () => {
  await noteRate("EUR", 1.05);
  const euro = await at.partner("euro", bidsIn("EUR", 2));
  await setCurrency("euro", "EUR");
  expect((await askOpenrtb(at.exchange, bannerRequest({ cur: ["EUR"] }))).seatbid).toBeUndefined();
  expect(euro.requests).toEqual([]);
  expect((await lastTrace()).decision.refused).toEqual([{ participantId: "euro", reason: "currency_unsupported" }]);
});
