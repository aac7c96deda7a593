import * as fc from "fast-check";
import type { PoolClient } from "pg";
import { expect, test } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { testSealer } from "../../../platform/testing/test-sealer.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { somePartner } from "../../../testing/some-partner.ts";
import { keyReader, setPartnerKeys, upsertPartner } from "../../demand-partners/index.ts";
import { configFeed } from "./config-feed.ts";

const { pool } = await testPostgres();
const source = () => ({ pool, partnerKeys: keyReader(testSealer, silentLog) });

const APPS = [1, 2, 3, 4];
const PARTNERS = ["north", "south", "west"];
const { rows: accounts } = await pool.query<{ id: number }>(
  "INSERT INTO accounts (name) VALUES ('One'), ('Two') RETURNING id",
);
const [one, two] = accounts.map(({ id }) => id) as [number, number];
await pool.query(
  `WITH person AS (INSERT INTO users (email, name) VALUES ('owner@example.com', 'Owner') RETURNING id)
   INSERT INTO memberships (user_id, account_id, role) SELECT id, $1, 'owner' FROM person`,
  [one],
);
const accountOf = (app: number) => (app % 2 === 0 ? two : one);

const app = fc.constantFrom(...APPS);
const partner = fc.constantFrom(...PARTNERS);
const format = fc.constantFrom("banner" as const, "video" as const);
const sql = (text: string, ...values: unknown[]) => ({ text, values });

/** Any change to the exchange's configuration that the platform's areas can write. */
const change = fc.oneof(
  fc.record({ app, bundle: fc.constantFrom("com.example.a", "com.example.b", ""), demo: fc.boolean() }).map((one) =>
    sql(
      `INSERT INTO apps (id, account_id, name, bundle_id, platform, demo, moderation) OVERRIDING SYSTEM VALUE
       VALUES ($1, $2, 'App', $3, 'android', $4, 'live')
       ON CONFLICT (id) DO UPDATE SET bundle_id = $3, demo = $4, deleted_at = NULL`,
      one.app,
      accountOf(one.app),
      one.bundle,
      one.demo,
    ),
  ),
  fc
    .record({ app, storeId: fc.constantFrom("1234567890", null) })
    .map((one) => sql("UPDATE apps SET platform = 'ios', store_id = $2 WHERE id = $1", one.app, one.storeId)),
  fc
    .record({ app, moderation: fc.constantFrom("check", "live", "banned") })
    .map((one) => sql("UPDATE apps SET moderation = $2 WHERE id = $1", one.app, one.moderation)),
  app.map((id) => sql("UPDATE apps SET deleted_at = now() WHERE id = $1", id)),
  app.map((id) => sql("DELETE FROM apps WHERE id = $1", id)),
  fc
    .record({ app, floor: fc.nat(1000) })
    .map((one) =>
      sql(
        "INSERT INTO floors (app_id, country, floor_micros) SELECT id, 'DE', $2 FROM apps WHERE id = $1 ON CONFLICT DO NOTHING",
        one.app,
        one.floor,
      ),
    ),
  app.map((id) => sql("DELETE FROM floors WHERE app_id = $1", id)),
  fc
    .record({ app, day: fc.constantFrom("2035-01-01", "2035-02-01"), share: fc.nat(1_000_000) })
    .map((one) =>
      sql(
        "INSERT INTO revenue_shares (account_id, from_day, share_ppm, reason, set_at) VALUES ($1, $2, $3, 'Agreed', now())",
        accountOf(one.app),
        one.day,
        one.share,
      ),
    ),
  fc
    .record({ app, domains: fc.subarray(["bad.example", "worse.example"]) })
    .map((one) => sql("UPDATE apps SET blocked_domains = $2 WHERE id = $1", one.app, one.domains)),
  fc
    .record({ app, kids: fc.boolean() })
    .map((one) => sql("UPDATE apps SET kids = $2, muted = $2 WHERE id = $1", one.app, one.kids)),
  fc.record({ app, name: fc.constantFrom("Home", "Menu") }).map((one) =>
    sql(
      `INSERT INTO zones (app_id, zone, name, format) SELECT id, 'home', $2, 'banner' FROM apps WHERE id = $1
         ON CONFLICT (app_id, zone) DO UPDATE SET name = $2`,
      one.app,
      one.name,
    ),
  ),
  app.map((id) => sql("DELETE FROM zones WHERE app_id = $1", id)),
  fc.record({ app, partner, format, placement: fc.constantFrom("p1", "p2") }),
  fc
    .record({ app, partner, enabled: fc.boolean() })
    .map((one) =>
      sql(
        "UPDATE partner_keys SET enabled = $3 WHERE app_id = $1 AND partner_id = $2",
        one.app,
        one.partner,
        one.enabled,
      ),
    ),
  app.map((id) => sql("DELETE FROM partner_keys WHERE app_id = $1", id)),
  fc.record({ id: partner, active: fc.boolean(), endpoint: fc.webUrl({ validSchemes: ["https"] }) }),
  partner.map((id) => sql("DELETE FROM partners WHERE id = $1", id)),
  fc
    .record({ account: fc.constantFrom(one, two), demo: fc.boolean() })
    .map((one) => sql("UPDATE accounts SET demo = $2 WHERE id = $1", one.account, one.demo)),
  fc.boolean().map((blocked) => sql(`UPDATE users SET blocked_at = ${blocked ? "now()" : "NULL"}`)),
  fc.constant(sql("TRUNCATE apps CASCADE")),
);
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

async function make(db: PoolClient, one: Change): Promise<void> {
  if ("text" in one) await db.query(one);
  else if ("endpoint" in one) await upsertPartner(db, somePartner({ ...one, media_types: ["banner", "video"] }));
  else {
    const { rowCount } = await db.query("SELECT FROM partners WHERE id = $1", [one.partner]);
    if (rowCount === 0) return;
    const keys = {
      app_id: one.app,
      partner_id: one.partner,
      format: one.format,
      keys: { placement: one.placement },
    };
    await setPartnerKeys(db, testSealer, accountOf(one.app), keys);
  }
}

test(
  "after any changes, the incrementally updated configuration equals one read from scratch",
  { timeout: 120_000 },
  async () => {
    const step = fc.record({ changes: fc.array(change, { minLength: 1, maxLength: 4 }), isRead: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        await pool.query("TRUNCATE apps, partners CASCADE");
        const kept = configFeed(source(), silentLog);
        await kept.reload();
        for (const { changes, isRead } of steps) {
          const client = await pool.connect();
          await client.query("BEGIN");
          for (const each of changes) await make(client, each);
          await client.query("COMMIT");
          client.release();
          if (isRead) await kept.reload();
        }
        await kept.reload();
        const scratch = configFeed(source(), silentLog);
        await scratch.reload();
        expect(kept.current()).toEqual(scratch.current());
        expect([...(kept.current()?.byBundle.values() ?? [])].map((apps) => apps.map(({ id }) => id))).toEqual(
          [...(kept.current()?.byBundle.values() ?? [])].map((apps) =>
            apps.map(({ id }) => id).toSorted((a, b) => a - b),
          ),
        );
        await Promise.all([kept.stop(), scratch.stop()]);
      }),
      { numRuns: 40 },
    );
  },
);

test("a change of one partner leaves what apps have at the others as it was", async () => {
  await pool.query("TRUNCATE apps, partners CASCADE");
  const client = await pool.connect();
  await make(client, {
    text: "INSERT INTO apps (account_id, name, bundle_id, platform, moderation) VALUES ($1, 'App', '', 'android', 'live')",
    values: [one],
  });
  for (const id of PARTNERS) await make(client, { id, active: true, endpoint: "https://bids.example/first" });
  const { rows } = await client.query<{ id: number }>("SELECT id FROM apps");
  const id = rows[0]?.id ?? 0;
  const keys = { app_id: id, format: "banner", keys: { placement: "p1" } } as const;
  for (const partner_id of PARTNERS) await setPartnerKeys(client, testSealer, one, { ...keys, partner_id });
  const feed = configFeed(source(), silentLog);
  await feed.reload();
  const before = feed.current()?.byId.get(id)?.demandByPartner;
  await make(client, { id: "south", active: true, endpoint: "https://bids.example/second" });
  client.release();
  await feed.reload();
  const after = feed.current()?.byId.get(id)?.demandByPartner;
  expect(after?.get("north")).toBe(before?.get("north"));
  expect(after?.get("west")).toBe(before?.get("west"));
  expect(after?.get("south")?.partner.settings.endpoint).toBe("https://bids.example/second");
  await feed.stop();
});
