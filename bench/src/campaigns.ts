import { eligibility, exclusionsIn, LazyDecision, offersOf, type AuctionInput } from "@millrace/auction";
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { budgetsArea } from "../../server/src/areas/budgets/index.ts";
import { CampaignBuyer } from "../../server/src/areas/exchange/index.ts";
import { clickIds } from "../../server/src/areas/measurement/index.ts";
import { refillCampaignBalance } from "../../server/src/areas/payments/index.ts";
import { systemClock } from "../../server/src/platform/clock.ts";
import { silentLog } from "../../server/src/platform/log.ts";
import { inTransaction } from "../../server/src/platform/postgres/in-transaction.ts";
import type { Measurement } from "./measurement.ts";
import { median, percentile } from "./quantiles.ts";
import { withStores } from "./workplace.ts";

const CAMPAIGNS = 10_000;
const AUCTIONS = 4000;
const WARM_UP = 3000;
const GOAL_MS = 0.1;

const COUNTRIES = ["US", "DE", "FR", "GB", "ES", "IT", "NL", "SE", "PL", "JP", "BR", "IN", "CA", "AU", "MX", "KR"];

/** What 10,000 live campaigns add to an auction. */
export const campaigns: Measurement = {
  name: "campaigns",
  title: "10,000 live campaigns",
  run: (say) =>
    withStores(async ({ stores }) => {
      await fill(stores.pool);
      const budgets = budgetsArea({ postgresUrl: stores.env.DATABASE_URL, clock: systemClock, log: silentLog });
      await budgets.start?.();
      try {
        return await measure(stores.pool, budgets, say);
      } finally {
        await budgets.stop?.();
      }
    }),
};

async function measure(
  pool: Pool,
  budgets: ReturnType<typeof budgetsArea>,
  say: (line: string) => void,
): ReturnType<Measurement["run"]> {
  const buyer = new CampaignBuyer({
    pool,
    publicUrl: "https://ads.example.com",
    budgets,
    clickIds: clickIds(["a secret for benchmarks of 32 bytes"]),
    statistics: {
      campaignImpressionsSince: async function* () {},
      campaignTraffic: async () => [],
      creativeCounts: async () => new Map(),
    },
    pacer: { planOf: () => ({ bidMicros: Number.MAX_SAFE_INTEGER, share: 1, tries: 0 }) },
    events: { appendAll: async () => undefined },
    clock: systemClock,
    log: silentLog,
  });
  const startedAt = performance.now();
  await buyer.book.renewAll();
  const loadMs = performance.now() - startedAt;
  say(`${buyer.book.index.size} campaigns read in ${loadMs.toFixed(0)} ms`);
  const [added, bare]: [number[], number[]] = [[], []];
  let bids = 0;
  for (let nth = 0; nth < WARM_UP + AUCTIONS; nth++) {
    // Leases and earlier impressions are read in the background.
    if (nth % 100 === 0) {
      await buyer.restore();
      await new Promise((resolve) => {
        setTimeout(resolve, 2);
      });
    }
    const input = someInput(nth);
    const offers = offersOf(input);
    const start = performance.now();
    decide(input, offers);
    const between = performance.now();
    const chosen = await buyer.choose(
      {
        auctionId: input.id,
        at: input.at,
        demo: false,
        facts: input.device,
        childDirected: false,
        exclusions: exclusionsIn(input),
        device: String(nth % 5000),
        offers,
        ratesToUsd: {},
        isTest: false,
      },
      false,
    );
    const withCampaigns = chosen ? { ...input, participants: [...input.participants, ...chosen.participants] } : input;
    decide(
      withCampaigns,
      offers,
      chosen?.calls.map(({ response }) => response),
    );
    if (chosen) buyer.answered({ auctionId: input.id, at: input.at }, chosen, []);
    const end = performance.now();
    if (nth < WARM_UP) continue;
    bids += chosen?.ads.length ?? 0;
    bare.push(between - start);
    added.push(end - between - (between - start));
  }
  const typical = median(added);
  return {
    figures: [
      {
        what: `What ${CAMPAIGNS.toLocaleString("en")} live campaigns add to an auction`,
        goal: `p50 < ${GOAL_MS} ms`,
        measured: `${typical.toFixed(3)} ms (p95 ${percentile(added, 0.95).toFixed(3)} ms)`,
        reached: typical < GOAL_MS,
      },
      {
        what: `Reading ${CAMPAIGNS.toLocaleString("en")} campaigns at a start`,
        goal: "none",
        measured: `${(loadMs / 1000).toFixed(1)} s`,
        reached: null,
      },
    ],
    notes: [
      `${AUCTIONS} auctions of one imp after ${WARM_UP} to warm up, in one process: choosing the campaigns, holding their money and places ` +
        `below their caps, their bids, deciding with them, and giving back what was held, less deciding without them (p50 ` +
        `${median(bare).toFixed(3)} ms). On average ${(bids / AUCTIONS).toFixed(1)} campaigns bid. Their pace is their bid; leases come from PostgreSQL.`,
      "Half of the campaigns are for images, a quarter has frequency caps, a fifth is for all countries but some, and the rest for one to five " +
        `of ${COUNTRIES.length} countries. A sixth names regions of its countries, as every second request does. The requests come from these countries in turn, so that each finds some hundreds of campaigns that want it.`,
    ],
  };
}

type Responses = ConstructorParameters<typeof LazyDecision>[1];

function decide(input: AuctionInput, offers: ReturnType<typeof offersOf>, responses: Responses = []): void {
  const decision = new LazyDecision(input, responses, eligibility(input, offers));
  decision.order("1").next();
}

/** In every second round of the countries, one of three regions. */
const regionAt = (nth: number): string | null =>
  Math.floor(nth / COUNTRIES.length) % 2 === 0 ? `${COUNTRIES[nth % COUNTRIES.length]}-${nth % 3}` : null;

const someInput = (nth: number): AuctionInput => ({
  id: `${String(nth).padStart(8, "0")}-0000-4000-8000-000000000000`,
  at: systemClock.now(),
  seed: `seed-${nth}`,
  configVersion: "1",
  deadlineMs: 100,
  request: {
    id: `request-${nth}`,
    imp: [
      nth % 2 === 0
        ? { id: "1", banner: { format: [{ w: 320, h: 50 }] }, bidfloor: 0.2 }
        : { id: "1", instl: 1, banner: { format: [{ w: 360, h: 800 }] }, bidfloor: 0.2 },
    ],
    app: { id: "app-1", bundle: "com.example.game" },
  },
  app: { id: "app-1", live: true, blockedCategories: [], blockedAdvertisers: [], floors: [], childDirected: false },
  device: {
    country: COUNTRIES[nth % COUNTRIES.length] ?? "US",
    region: regionAt(nth),
    platform: "android",
    osVersion: String(8 + (nth % 8)),
    network: nth % 3 === 0 ? "cellular" : "wifi",
    campaignPlatform: "android",
  },
  consent: { gdprApplies: false, vendorIds: [] },
  participants: [],
});

const ADVERTISERS = 100;

/** Campaigns of a hundred advertisers with money, each with one approved creative. */
async function fill(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ id: number }>(
    "INSERT INTO accounts (name, can_campaign) SELECT 'Advertiser ' || n, true FROM generate_series(1, $1) n RETURNING id",
    [ADVERTISERS],
  );
  for (const { id: accountId } of rows) {
    await inTransaction(pool, (client) =>
      refillCampaignBalance(client, {
        key: randomUUID(),
        accountId,
        amountMicros: 1_000_000_000_000,
        reason: "A benchmark",
        actorUserId: 1,
        at: new Date(),
      }),
    );
  }
  await pool.query(
    `INSERT INTO uploads (account_id, file, bytes, width, height, created_at, used_at)
     SELECT id, 'bench.png', 1000, 320, 50, now(), now() FROM accounts WHERE id = ANY($1)`,
    [rows.map(({ id }) => id)],
  );
  await pool.query(
    `INSERT INTO campaigns (account_id, name, bundle_id, store_id, app_platform, format, budget_micros, bid_micros,
       daily_micros, starts_at, days, active_from, active_to, network, geo_type, countries, platforms, ios, android, caps,
       created_at)
     SELECT ($1::int[])[1 + n % $2], 'Campaign ' || n, 'com.example.app', 'com.example.app', 'android',
       CASE WHEN n % 2 = 0 THEN 'image' ELSE 'banner' END, 0, 250000 + (n * 7919) % 9750000, 300000000,
       now() - interval '1 hour', '{1,2,3,4,5,6,7}', '00:00', '23:59', CASE WHEN n % 7 = 0 THEN 'wifi' ELSE 'any' END,
       CASE WHEN n % 5 = 0 THEN 'not_in' ELSE 'in' END,
       ARRAY(SELECT DISTINCT ($3::text[])[1 + (n * 31 + k * 17) % cardinality($3::text[])] FROM generate_series(1, 1 + n % 5) k),
       '{iphone,ipad,android}', '{"all": true, "min": "12", "max": "26"}',
       CASE WHEN n % 3 = 0 THEN '{"all": false, "min": "10", "max": "16"}'::jsonb
         ELSE '{"all": true, "min": "5", "max": "16"}'::jsonb END,
       CASE WHEN n % 4 = 0 THEN '[{"impressions": 3, "period": "day", "per": "user"}]'::jsonb ELSE '[]'::jsonb END, now()
     FROM generate_series(1, $4) n`,
    [rows.map(({ id }) => id), ADVERTISERS, COUNTRIES, CAMPAIGNS],
  );
  await pool.query(
    `UPDATE campaigns SET regions = ARRAY(SELECT country || '-' || nth FROM unnest(countries) country, generate_series(0, 1) nth)
     WHERE id % 6 = 0`,
  );
  await pool.query(
    `INSERT INTO creatives (campaign_id, format, store_id, cta, click_url, upload_id, moderation, waiting_since, created_at)
     SELECT c.id, c.format, 'com.example.app', 'Install', 'https://shop.example/', u.id, 'approved', now(), now()
     FROM campaigns c JOIN uploads u USING (account_id)`,
  );
}
