import { AGREEMENT_VERSION, SDK_VERSION } from "@millrace/contract";
import type { Role } from "@millrace/contract";
import type { Pool } from "pg";
import { FLOOR_EVIDENCE_TABLE, FLOOR_TABLE } from "../../server/src/areas/apps/index.ts";
import { findUserByEmail, insertOwner, setPasswordHash } from "../../server/src/areas/accounts/index.ts";
import { upsertPartner } from "../../server/src/areas/demand-partners/index.ts";
import type { StoredFiles } from "../../server/src/platform/files/stored-files.ts";
import { pastCampaigns, pastInhouse } from "./campaigns/past-campaigns.ts";
import { seedCampaigns } from "./campaigns/seed-campaigns.ts";
import { seedInhouse } from "./campaigns/seed-inhouse.ts";
import { seedLineItems } from "./campaigns/seed-line-items.ts";
import { CATALOGUE } from "./catalogue.ts";
import type { DemoApp } from "./demo-app.ts";
import { DEMO_FLOORS } from "./floors.ts";
import { AUTOMATIC_FLOORS, learnedStep } from "./history/automatic-floors.ts";
import type { PastCampaign, PastInhouse } from "./history/row-sql.ts";
import { addDays, dayOf } from "@millrace/units";
import { mediaTypesOf } from "./lab/partners.ts";
import { PERSONALITIES } from "./lab/personalities.data.ts";
import { HISTORY_DAYS } from "./population.ts";
import { seedWebhook } from "./seed-webhook.ts";

export interface SeedOptions {
  pool: Pool;
  /** Takes the images of creatives. */
  files: StoredFiles;
  /** The lab's current address, which the bidders' endpoints use. */
  labUrl: string;
  /** The password of all three logins. */
  password: string;
  /** The share at which the history's ads were sold. */
  revenueSharePpm: number;
  hashPassword(password: string): Promise<string>;
}

/** A login of the demo, printed at the start. */
export interface DemoLogin {
  label: "Publisher" | "Advertiser" | "Admin";
  email: string;
  password: string;
}

export interface SeededDemo {
  logins: DemoLogin[];
  /** The ids and public keys of the apps by slug, without deleted apps. */
  appIds: ReadonlyMap<string, number>;
  appKeys: ReadonlyMap<string, string>;
  /** The advertiser's campaigns that history has ads of. */
  campaigns: PastCampaign[];
  /** The same of the publisher's cross promotions. */
  inhouse: PastInhouse[];
  advertiserId: number;
  publisher: { accountId: number; userId: number };
  adminUserId: number;
  /** When the demo was first seeded, in epoch milliseconds. History ends and live traffic begins here. */
  sinceMs: number;
}

const LOGINS = [
  { label: "Publisher", email: "publisher@demo.test", name: "Demo Publisher", role: "owner", canApps: true },
  { label: "Advertiser", email: "advertiser@demo.test", name: "Demo Advertiser", role: "owner", canApps: false },
  { label: "Admin", email: "admin@demo.test", name: "Demo Admin", role: "admin", canApps: true },
] as const satisfies readonly {
  label: DemoLogin["label"];
  email: string;
  name: string;
  role: Role;
  canApps: boolean;
}[];

/** Seeds the demo. If it exists already, only the password and the lab's address change. */
export async function seedDemo({
  pool,
  files,
  labUrl,
  password,
  hashPassword,
  revenueSharePpm,
}: SeedOptions): Promise<SeededDemo> {
  const passwordHash = await hashPassword(password);
  for (const login of LOGINS) await seedLogin(pool, login, passwordHash);
  const publisher = await findAccount(pool, LOGINS[0].email);
  const advertiser = await findAccount(pool, LOGINS[1].email);
  await seedCampaigns({ pool, files, ...advertiser });
  for (const app of CATALOGUE) await seedApp(pool, publisher.accountId, app);
  await seedAutomaticFloors(pool, publisher.accountId);
  await seedPartners(pool, labUrl);
  const apps = await findApps(pool, publisher.accountId);
  const appIds = new Map(apps.map(({ slug, id }) => [slug, id]));
  await seedInhouse({ pool, files, accountId: publisher.accountId, appIds });
  await seedLineItems(pool, appIds);
  await seedWebhook(pool, appIds, labUrl);
  await seedShares(pool, { ...publisher, revenueSharePpm });
  return {
    logins: LOGINS.map(({ label, email }) => ({ label, email, password })),
    appIds,
    appKeys: new Map(apps.map(({ slug, uuid }) => [slug, uuid])),
    campaigns: await pastCampaigns(pool, advertiser.accountId, publisher.sinceMs),
    inhouse: await pastInhouse(pool, publisher.accountId, publisher.sinceMs),
    advertiserId: advertiser.accountId,
    publisher,
    adminUserId: (await findAccount(pool, LOGINS[2].email)).userId,
    sinceMs: publisher.sinceMs,
  };
}

async function seedLogin(pool: Pool, login: (typeof LOGINS)[number], passwordHash: string): Promise<void> {
  const { email, name, role, canApps } = login;
  const inserted = await insertOwner(pool, {
    email,
    name,
    passwordHash,
    role,
    canApps,
    canCampaign: login.label === "Advertiser",
    agreedVersion: AGREEMENT_VERSION,
    demo: true,
  });
  if (inserted !== null) return;
  const user = await findUserByEmail(pool, email);
  if (user !== undefined) await setPasswordHash(pool, user.id, passwordHash);
}

async function findAccount(pool: Pool, email: string): Promise<{ accountId: number; userId: number; sinceMs: number }> {
  const { rows } = await pool.query<{ id: number; user_id: number; created_at: Date }>(
    `SELECT a.id, u.id AS user_id, a.created_at FROM accounts a JOIN memberships m ON m.account_id = a.id JOIN users u ON u.id = m.user_id
     WHERE u.email = $1 AND a.demo ORDER BY a.id LIMIT 1`,
    [email],
  );
  const [account] = rows;
  if (account === undefined) throw new Error(`${email} exists already and is not a demo user`);
  return { accountId: account.id, userId: account.user_id, sinceMs: account.created_at.getTime() };
}

/** What the next month's share is above the history's. */
const RAISE_PPM = 20_000;

/** The publisher's share: the history's from its first day on, and a higher one from the next month on. */
async function seedShares(
  pool: Pool,
  { accountId, sinceMs, revenueSharePpm }: { accountId: number; sinceMs: number; revenueSharePpm: number },
): Promise<void> {
  const today = dayOf(sinceMs);
  const first = addDays(today, -HISTORY_DAYS);
  const next = `${addDays(`${today.slice(0, 7)}-28`, 4).slice(0, 7)}-01`;
  await pool.query(
    `INSERT INTO revenue_shares (account_id, from_day, share_ppm, reason, set_at)
     SELECT $1, s.from_day, s.share_ppm, s.reason, s.set_at
     FROM unnest($2::date[], $3::integer[], $4::text[], $5::timestamptz[]) AS s(from_day, share_ppm, reason, set_at)
     WHERE NOT EXISTS (SELECT FROM revenue_shares WHERE account_id = $1)`,
    [
      accountId,
      [first, next],
      [revenueSharePpm, Math.min(revenueSharePpm + RAISE_PPM, 1_000_000)],
      ["Agreed at the start", "Agreed for the months to come"],
      [addDays(first, -1), addDays(today, -1)],
    ],
  );
}

/** Inserts an app with its zones and floors, unless it exists or has been deleted. */
async function seedApp(pool: Pool, accountId: number, app: DemoApp): Promise<void> {
  await pool.query(
    `WITH app AS (
       INSERT INTO apps (account_id, name, bundle_id, platform, logo_url, sdk_version, sdk_seen_at, demo, created_at)
       SELECT $1, $2, $3, $4, $5, $6, now(), true, now() - interval '400 days'
       WHERE NOT EXISTS (SELECT FROM apps WHERE account_id = $1 AND bundle_id = $3 AND platform = $4)
       RETURNING id
     ), zone AS (
       INSERT INTO zones (app_id, zone, name, format, refresh_seconds, first_seen_at, reward_name, reward_amount)
       SELECT app.id, z.zone, z.name, z.format, z."refreshSeconds", now() - make_interval(days => $9),
         z.reward ->> 'name', (z.reward ->> 'amount')::integer FROM app,
         jsonb_to_recordset($7) AS z(zone text, name text, format text, "refreshSeconds" integer, reward jsonb)
     )
     INSERT INTO floors (app_id, country, format, floor_micros)
     SELECT app.id, f.country, f.format, round(f.cpm * 1000000) FROM app,
       jsonb_to_recordset($8) AS f(country text, format text, cpm numeric)`,
    [
      accountId,
      app.name,
      app.bundleId,
      app.platform,
      app.logoUrl,
      SDK_VERSION,
      JSON.stringify(app.zones),
      JSON.stringify(DEMO_FLOORS.filter(({ format }) => app.zones.some((zone) => zone.format === format))),
      // The history begins with all zones.
      HISTORY_DAYS - 1,
    ],
  );
}

/** Continues what was learned in history, unless it was continued before or somebody switched it. */
async function seedAutomaticFloors(pool: Pool, accountId: number): Promise<void> {
  const { slug, platform, format, countries } = AUTOMATIC_FLOORS;
  const app = CATALOGUE.find((each) => each.slug === slug);
  const nothing = { count: 0, sum: 0, squares: 0 };
  const cells = countries.map((country) => {
    const floor = { step: learnedStep(slug, format, country), state: "learning" };
    return [`${format}/${country}/${platform}`, floor] as const;
  });
  const inForce = JSON.stringify(Object.fromEntries(cells));
  const learned = cells.map(([name, floor]) => [
    name,
    { ...floor, movedAt: Date.now(), automatic: nothing, held: nothing, requests: 0 },
  ]);
  const evidence = JSON.stringify(Object.fromEntries(learned));
  await pool.query(
    `WITH app AS (
       UPDATE apps SET automatic_floors = true
       WHERE account_id = $1 AND bundle_id = $2 AND platform = $3 AND demo AND NOT automatic_floors AND NOT EXISTS
         (SELECT FROM audit_log WHERE action = 'app_automatic_floors_switched' AND subject = apps.uuid::text)
       RETURNING id
     )
     INSERT INTO learned_tables (name, version, content, fitted_at)
     SELECT name, 'seeded', jsonb_build_object(app.id::text, learned), now()
     FROM app, (VALUES ($4, $5::jsonb), ($6, $7::jsonb)) AS t(name, learned)
     ON CONFLICT (name) DO UPDATE SET version = excluded.version, content = learned_tables.content || excluded.content`,
    [accountId, app?.bundleId, platform, FLOOR_TABLE, inForce, FLOOR_EVIDENCE_TABLE, evidence],
  );
}

/** Inserts the lab's bidders and their keys for the demo's apps. An existing bidder only gets its new address. */
async function seedPartners(pool: Pool, labUrl: string): Promise<void> {
  const { rows } = await pool.query<{ id: string; endpoint: string; gvl_id: number | null; demo: boolean }>(
    "SELECT id, endpoint, gvl_id, demo FROM partners",
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  for (const personality of PERSONALITIES) {
    const endpoint = `${labUrl}/bid/${personality.id}`;
    const gvlId = personality.gvlId ?? null;
    const before = known.get(personality.id);
    if (before === undefined) {
      await upsertPartner(pool, {
        id: personality.id,
        kind: "openrtb",
        name: personality.name,
        endpoint,
        media_types: mediaTypesOf(personality),
        gvl_id: gvlId,
        openrtb_version: "2.6",
        gzip: false,
        active: personality.activeInDemo,
        demo: true,
        app_ads_lines: [`${personality.id}.demo.test, {seat}, RESELLER`],
        regions: personality.regions ? [...personality.regions] : null,
        region_endpoints: Object.fromEntries(
          (personality.addresses ?? []).map((region) => [region, `${endpoint}/${region}`]),
        ),
      });
    } else if (before.demo && (before.endpoint !== endpoint || before.gvl_id !== gvlId)) {
      // Its addresses by region begin with its endpoint.
      await pool.query(
        `UPDATE partners SET endpoint = $2, gvl_id = $3,
           region_endpoints = replace(region_endpoints::text, '"' || endpoint || '/', '"' || $2 || '/')::jsonb
         WHERE id = $1`,
        [personality.id, endpoint, gvlId],
      );
    }
  }
  await pool.query(
    `INSERT INTO partner_keys (app_id, partner_id, format, keys)
     SELECT a.id, p.id, f.format, '{"seat": "demo"}' FROM apps a, partners p, unnest(ARRAY['banner', 'video']) AS f(format)
     WHERE a.demo AND p.demo ON CONFLICT DO NOTHING`,
  );
}

async function findApps(pool: Pool, accountId: number): Promise<{ slug: string; id: number; uuid: string }[]> {
  const { rows } = await pool.query<{ id: number; uuid: string; bundle_id: string; platform: string }>(
    "SELECT id, uuid, bundle_id, platform FROM apps WHERE account_id = $1 AND demo AND deleted_at IS NULL",
    [accountId],
  );
  return CATALOGUE.flatMap(({ slug, bundleId, platform }) => {
    const row = rows.find((app) => app.bundle_id === bundleId && app.platform === platform);
    return row === undefined ? [] : [{ slug, id: row.id, uuid: row.uuid }];
  });
}
