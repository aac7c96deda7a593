import { randomUUID } from "node:crypto";
import type { Holder, Role } from "@millrace/contract";
import { type SeedIds, seedIds } from "@millrace/contract/testing";
import type { Pool } from "pg";

/** A kind of caller: its role in the table of rights, and how it signs in. */
export interface CallerKind extends Holder {
  by: "session" | "token";
  mfaPending: boolean;
  /** A manager with the right to run managers. */
  isSuper: boolean;
  /** The only app that they see: the one that requests are about, or another one of the account. */
  sees: "asked" | "other" | null;
}

const BOTH = { can_apps: true, can_campaign: true };
const kind = (role: Role, some: Partial<CallerKind> = {}): CallerKind => ({
  role,
  roles: BOTH,
  is_switched: false,
  has_all_apps: true,
  sees: null,
  by: "session",
  mfaPending: false,
  isSuper: false,
  ...some,
});

/** Every kind of signed-in caller. */
export const CALLER_KINDS = {
  owner: kind("owner"),
  "administrator (SUSR)": kind("SUSR"),
  "developer (SDEV)": kind("SDEV"),
  "guest (GST)": kind("GST"),
  manager: kind("manager"),
  "administrator of one app": kind("SUSR", { has_all_apps: false, sees: "asked" }),
  "administrator of another app": kind("SUSR", { has_all_apps: false, sees: "other" }),
  "guest of another app": kind("GST", { has_all_apps: false, sees: "other" }),
  "manager of another app": kind("manager", { has_all_apps: false, sees: "other", isSuper: true }),
  "super manager": kind("manager", { isSuper: true }),
  admin: kind("admin"),
  "owner of an advertiser's account": kind("owner", { roles: { can_apps: false, can_campaign: true } }),
  "owner of a publisher's account": kind("owner", { roles: { can_apps: true, can_campaign: false } }),
  "admin who is switched in": kind("owner", { is_switched: true }),
  "owner who owes the code": kind("owner", { mfaPending: true }),
  "access token": kind("owner", { by: "token" }),
  "access token of an advertiser": kind("owner", { by: "token", roles: { can_apps: false, can_campaign: true } }),
} as const satisfies Record<string, CallerKind>;

export interface NewAccount {
  accountId: number;
  /** The caller. */
  userId: number;
  ownerId: number;
  ids: SeedIds;
}

/** An account with one of every object that calls are about, and a caller in it. */
export async function newAccount(pool: Pool, { role, roles, isSuper, sees }: CallerKind): Promise<NewAccount> {
  const isOwner = role === "owner" || role === "admin";
  const { rows } = await pool.query<
    Record<keyof typeof NAMES, string> & { accountId: number; userId: number; ownerId: number }
  >({
    // Planned once per connection, because some tests make thousands of accounts.
    name: "a new account",
    text: `WITH account AS (INSERT INTO accounts (name, can_apps, can_campaign) VALUES ('Account', $3, $4) RETURNING id),
       person AS (
         INSERT INTO users (email, name, agreed_version)
         SELECT name || '-' || $1 || '@people.test', name, 1 FROM unnest($2::text[]) AS name RETURNING id, uuid, name
       ),
       app AS (
         INSERT INTO apps (account_id, name, bundle_id, platform, moderation)
         SELECT account.id, 'App ' || state, 'test.' || state, 'android', state FROM account, unnest(ARRAY['live', 'check']) AS state
         RETURNING id, uuid, moderation
       ),
       member AS (
         INSERT INTO memberships (user_id, account_id, role, is_super, app_ids)
         SELECT person.id, account.id,
           CASE person.name WHEN 'sub' THEN 'GST' WHEN 'manager' THEN 'manager' WHEN 'caller' THEN $5
             ELSE CASE WHEN $5 = 'admin' THEN 'admin' ELSE 'owner' END END,
           person.name = 'caller' AND $6,
           CASE WHEN person.name = 'caller' THEN (SELECT ARRAY[id] FROM app WHERE moderation = $8) END
         FROM person, account
       ),
       zone AS (
         INSERT INTO zones (app_id, zone, name, format) SELECT id, 'malformed', 'Zone', 'banner' FROM app
       ),
       asker AS (SELECT id, uuid FROM person WHERE name = CASE WHEN $7 THEN 'owner' ELSE 'caller' END),
       export AS (
         INSERT INTO personal_exports (user_id, account_id, state, content, created_at, expires_at)
         SELECT asker.id, account.id, 'ready', '{}', now(), now() + interval '1 day' FROM asker, account RETURNING uuid
       ),
       question AS (
         INSERT INTO support_messages (user_id, account_id, message, page, created_at)
         SELECT asker.id, account.id, 'Where are my ads?', '/apps', now() FROM asker, account RETURNING uuid
       ),
       payout AS (
         INSERT INTO payouts (account_id, period, amount_micros, provider, payee_id, method, state, created_at, changed_at)
         SELECT id, '2026-10-01', 1000000, 'sandbox', gen_random_uuid(), 'Bank transfer ending 4417', 'sending', now(), now()
         FROM account RETURNING id
       ),
       deduction AS (
         INSERT INTO deductions (key, account_id, app_id, provider, day, reason, amount_micros, explanation, auctions,
           noted_at, dispute_until)
         SELECT gen_random_uuid(), account.id, app.id, '', '2024-11-18', 'invalid_traffic', 1, 'Clicks from a data centre',
           '{}', now(), now() + interval '14 days' FROM account, app WHERE app.moderation = 'live' RETURNING uuid
       ),
       drift AS (
         INSERT INTO ledger_drifts (day, account_id, what, counted_micros, booked_micros, found_at)
         SELECT '2024-11-18', id, 'revenue', 1, 2, now() FROM account RETURNING uuid
       ),
       partner AS (
         INSERT INTO partners (id, kind, name, endpoint, media_types)
         VALUES ('lab-steady', 'openrtb', 'Lab steady', 'https://lab.test/', '{banner}') ON CONFLICT DO NOTHING
       ),
       kill_switch AS (
         INSERT INTO kill_switches (partner_id, countries, reason, created_at) VALUES ('lab-steady', '{AQ}', 'It crashes', now())
         RETURNING uuid
       ),
       statement AS (
         INSERT INTO statements (partner_id, content_hash, file_name, mapping, imported_at, first_day, last_day, reported_micros,
           added, restated, unchanged, changed_by_micros)
         VALUES ('lab-steady', sha256(convert_to($1, 'UTF8')), 'october.csv',
           '{"date":"Day","place":"App","impressions":"Impressions","revenue":"Revenue","place_kind":"bundle","date_format":"2026-10-31","decimal":".","time_zone":"UTC","currency":"USD"}',
           now(), '2024-11-18', '2024-11-18', 0, 1, 0, 0, 0) RETURNING id, uuid
       ),
       stated AS (
         INSERT INTO statement_days (statement_id, day, app_id, impressions, reported_micros, shown_micros)
         SELECT statement.id, '2024-11-18', app.id, 0, 0, 0 FROM statement, app WHERE app.moderation = 'live'
       ),
       invoice AS (
         INSERT INTO invoices (kind, series, year, serial, number, account_id, issued_at, supplied_on, payout_id, amount_micros,
           carried_in_micros, carried_out_micros, net_cents, vat_cents, treatment, vat_country, rate_basis_points, platform, party)
         SELECT 'self_billed', 'self_billed', 2026, account.id, 'S-' || $1, account.id, now(), '2026-10-31', payout.id, 1000000, 0, 0,
           100, 0, 'reverse_charge', 'DE', 0, nobody.party, nobody.party
         FROM account, payout,
           (SELECT '{"name":"Somebody","address":"1 Example Street","country":"DE","vatId":"","isBusiness":true}'::jsonb) AS nobody(party)
         RETURNING uuid
       ),
       news AS (
         INSERT INTO news (uuid, subject, message, sent_at) VALUES (gen_random_uuid(), 'A new SDK', 'Text', now())
         RETURNING uuid
       ),
       campaign AS (
         INSERT INTO campaigns (account_id, name, bundle_id, store_id, app_platform, format, budget_micros, bid_micros,
           daily_micros, starts_at, days, active_from, active_to, network, geo_type, countries, platforms, ios, android,
           caps, created_at)
         SELECT account.id, 'Campaign', 'test.tide', 'test.tide', 'android', 'banner', 0, 250000, 250000000, now(),
           '{1}', '00:00', '23:59', 'any', 'not_in', '{}', '{android}', '{"all":true,"min":"12","max":"12"}',
           '{"all":true,"min":"5","max":"5"}', '[]', now() FROM account RETURNING id, uuid
       ),
       upload AS (
         INSERT INTO uploads (account_id, file, bytes, width, height, created_at, used_at)
         SELECT account.id, encode(sha256(convert_to($1, 'UTF8')), 'hex') || '.png', 1, 320, 50, now(), now() FROM account
         RETURNING id, file
       ),
       inhouse AS (
         INSERT INTO inhouse_campaigns (account_id, title, description, ad_app_id, app_ids, price_micros, geo_type, countries,
           ios, android, format, target_url, store_id, store_country, portrait_id, video_orientation, skip_timer,
           interstitial_waterfall, created_at)
         SELECT account.id, 'Tide', 'Try it', app.id, ARRAY[app.id], 0, 'not_in', '{}', '{"all":true,"min":"12","max":"12"}',
           '{"all":true,"min":"5","max":"5"}', 'image', 'https://tide.test/', 'test.tide', 'US', upload.id, 'all', 5, false,
           now()
         FROM account, app, upload WHERE app.moderation = 'live' RETURNING uuid
       ),
       line_item AS (
         INSERT INTO line_items (app_id, name, format, zones, enabled, source, prices, created_at)
         SELECT id, 'Partner tag', 'video', '{}', true, '{"kind":"vast","url":"https://ads.example/vast"}',
           '[{"country":null,"price":1000000}]', now() FROM app WHERE moderation = 'live' RETURNING uuid
       ),
       creative AS (
         INSERT INTO creatives (campaign_id, format, store_id, click_url, upload_id, moderation, waiting_since, created_at)
         SELECT campaign.id, 'banner', 'test.tide', 'https://tide.test/', upload.id, 'new', now(), now()
         FROM campaign, upload RETURNING uuid
       ),
       file AS (
         INSERT INTO table_files (account_id, wish, created_at, expires_at)
         SELECT account.id, jsonb_build_object('kind', 'csv', 'app', 'none',
           'appIds', (SELECT to_jsonb(ARRAY[id]) FROM app WHERE moderation = 'live' AND $8 = 'live')),
           now(), now() + interval '1 day' FROM account RETURNING uuid
       )
     SELECT account.id AS "accountId", asker.id AS "userId",
       (SELECT id FROM person WHERE name = 'owner') AS "ownerId",
       (SELECT uuid FROM person WHERE name = 'sub') AS "subUser",
       (SELECT uuid FROM person WHERE name = 'manager') AS manager,
       (SELECT uuid FROM app WHERE moderation = 'live') AS app,
       (SELECT uuid FROM app WHERE moderation = 'live') AS "changedApp",
       (SELECT uuid FROM export) AS "personalExport",
       (SELECT uuid FROM question) AS "supportMessage",
       (SELECT id FROM payout) AS payout,
       (SELECT uuid FROM deduction) AS deduction,
       (SELECT uuid FROM drift) AS drift,
       (SELECT uuid FROM kill_switch) AS "killSwitch",
       (SELECT uuid FROM statement) AS statement,
       (SELECT uuid FROM invoice) AS invoice,
       (SELECT uuid FROM news) AS news,
       (SELECT uuid FROM file) AS "tableFile",
       (SELECT uuid FROM campaign) AS campaign,
       (SELECT uuid FROM creative) AS creative,
       (SELECT uuid FROM inhouse) AS inhouse,
       (SELECT uuid FROM line_item) AS "lineItem",
       (SELECT '/files/' || file FROM upload) AS image
     FROM account, asker`,
    values: [
      randomUUID(),
      ["owner", "sub", "manager", ...(isOwner ? [] : ["caller"])],
      roles.can_apps,
      roles.can_campaign,
      role,
      isSuper,
      isOwner,
      sees && { asked: "live", other: "check" }[sees],
    ],
  });
  const [made] = rows;
  if (!made) throw new Error("an insert gives its row back");
  const { accountId, userId, ownerId, ...ids } = made;
  return { accountId, userId, ownerId, ids: seedIds(ids) };
}

/** The account's ids that calls use. */
const NAMES = {
  subUser: "",
  manager: "",
  app: "",
  changedApp: "",
  personalExport: "",
  supportMessage: "",
  payout: "",
  deduction: "",
  drift: "",
  killSwitch: "",
  statement: "",
  invoice: "",
  news: "",
  tableFile: "",
  campaign: "",
  creative: "",
  inhouse: "",
  lineItem: "",
  image: "",
} satisfies Partial<SeedIds>;

/** Everything in an account, to verify that nothing changed. */
export async function contentOf(pool: Pool, accountId: number): Promise<Record<string, unknown[]>> {
  const queries = {
    accounts: "SELECT * FROM accounts WHERE id = $1",
    people: `SELECT u.*, m.role, m.is_super, m.app_ids FROM users u JOIN memberships m ON m.user_id = u.id WHERE m.account_id = $1
      ORDER BY u.id`,
    sessions: "SELECT * FROM sessions WHERE account_id = $1 ORDER BY token_hash",
    apps: "SELECT * FROM apps WHERE account_id = $1 ORDER BY id",
    zones: "SELECT z.* FROM zones z JOIN apps a ON a.id = z.app_id WHERE a.account_id = $1 ORDER BY z.app_id",
    floors: "SELECT f.* FROM floors f JOIN apps a ON a.id = f.app_id WHERE a.account_id = $1",
    keys: "SELECT k.* FROM partner_keys k JOIN apps a ON a.id = k.app_id WHERE a.account_id = $1",
    exports: "SELECT * FROM personal_exports WHERE account_id = $1",
    support: "SELECT * FROM support_messages WHERE account_id = $1",
    tickets: "SELECT * FROM tickets WHERE account_id = $1",
    // A refused call sets the time of the token's last use, too.
    tokens: "SELECT to_jsonb(t) - 'last_used_at' AS token FROM access_tokens t WHERE account_id = $1",
    campaigns: "SELECT * FROM campaigns WHERE account_id = $1 ORDER BY id",
    creatives: "SELECT r.* FROM creatives r JOIN campaigns c ON c.id = r.campaign_id WHERE c.account_id = $1",
    inhouse: "SELECT * FROM inhouse_campaigns WHERE account_id = $1",
    lineItems: "SELECT l.* FROM line_items l JOIN apps a ON a.id = l.app_id WHERE a.account_id = $1 ORDER BY l.id",
    uploads: "SELECT * FROM uploads WHERE account_id = $1",
    deductions: "SELECT * FROM deductions WHERE account_id = $1",
    billing: "SELECT * FROM billing_details WHERE account_id = $1",
    invoices: "SELECT * FROM invoices WHERE account_id = $1",
    money: "SELECT * FROM ledger_lines WHERE account_id = $1",
  };
  const found = await Promise.all(
    Object.entries(queries).map(
      async ([name, sql]) => [name, (await pool.query<object>(sql, [accountId])).rows] as const,
    ),
  );
  return Object.fromEntries(found);
}
