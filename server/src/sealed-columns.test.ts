import { type PartnerSettings, PLATFORMS, WORLD_REGIONS } from "@millrace/contract";
import { readFile, readdir } from "node:fs/promises";
import { generate } from "otplib";
import { expect, test, vi } from "vitest";
import { setPartnerKeys, upsertPartner } from "./areas/demand-partners/index.ts";
import { accountPostbackKey } from "./areas/measurement/index.ts";
import { resealColumns } from "./platform/sealed/reseal.ts";
import { sealer } from "./platform/sealed/sealer.ts";
import { testStores } from "./platform/testing/stores.ts";
import { SEALED_COLUMNS } from "./sealed-columns.ts";
import { somePartner } from "./testing/some-partner.ts";
import { newPerson, sessionOf, testPlatform } from "./testing/test-platform.ts";

const [OLDEST, OLD, NEW] = ["oldest", "second", "newest"].map((name) => `the-${name}-secret-of-32-bytes-or-more`) as [
  string,
  string,
  string,
];
const stores = await testStores();
const { pool } = stores.pg;

/** An app with keys at a partner, sealed before the platform starts. */
async function withOldKeys(): Promise<void> {
  const { accountId } = await newPerson(pool, "before@example.com");
  const { rows } = await pool.query<{ id: number }>(
    "INSERT INTO apps (account_id, name, bundle_id, platform) VALUES ($1, 'A', 'com.example.a', 'android') RETURNING id",
    [accountId],
  );
  await upsertPartner(pool, somePartner({ id: "north" }));
  const place = { app_id: rows[0]?.id ?? 0, partner_id: "north", format: "banner", enabled: true } as const;
  await setPartnerKeys(pool, sealer([OLDEST]), accountId, { ...place, keys: { seat: "s-1" } });
}
await withOldKeys();
const { ask } = await testPlatform(stores, { MILLRACE_SECRET: `${OLD},${OLDEST}` });

async function valuesOf({ table, column }: { table: string; column: string }): Promise<Buffer[]> {
  const { rows } = await pool.query<{ value: Buffer }>(
    `SELECT ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL`,
  );
  return rows.map(({ value }) => value);
}

test("a platform that starts with a new secret seals with it what an older one sealed", async () => {
  await vi.waitFor(
    async () => {
      const [keys = Buffer.of()] = await valuesOf({ table: "partner_keys", column: "sealed" });
      expect(sealer([OLD]).open(keys, "partner keys")).toBe('{"seat":"s-1"}');
    },
    { timeout: 30_000, interval: 100 },
  );
});

test("everything that the platform seals is sealed again, and needs the older secret no more", async () => {
  const admin = await newPerson(pool, "admin@example.com", { role: "admin" });
  const partner: PartnerSettings = {
    kind: "openrtb",
    name: "South",
    active: false,
    endpoint: "https://8.8.8.8/bid",
    media_types: ["banner"],
    platforms: [...PLATFORMS],
    regions: [...WORLD_REGIONS],
    region_endpoints: {},
    openrtb_version: "2.6",
    gzip: false,
    gvl_id: null,
    platform_ids: {},
    headers: {},
    currency: null,
    bid_currency: null,
    schain_node: null,
    qps_limit: null,
    app_ads_lines: [],
    credentials: { "x-key": "secret" },
  };
  const saved = await ask({ cookie: await sessionOf(pool, admin) }, "PUT", "/admin/partners/south", partner);
  expect(saved).toMatchObject({ status: 200 });
  const [person, other] = [await newPerson(pool, "person@example.com"), await newPerson(pool, "other@example.com")];
  const as = { cookie: await sessionOf(pool, person) };
  await accountPostbackKey({ pool, sealer: sealer([OLD]) }, person.accountId);
  const { body: details } = await ask(as, "POST", "/payment/register_to_tipalti");
  const payee = { method: "bank", holder: "Ada Lovelace", account: "DE89370400440532013000" };
  await ask(as, "POST", new URL(String(details["url"])).pathname, payee);
  await pool.query(
    // Paid, so that the platform's own worker leaves it alone.
    `INSERT INTO payouts (account_id, period, amount_micros, provider, payee_id, method, state, created_at, changed_at, details)
     SELECT $1, '2020-01-01', 1, 'sandbox', payee_id, '', 'paid', now(), now(), details FROM sandbox_payees`,
    [person.accountId],
  );
  await pool.query(`INSERT INTO sandbox_payments (payout_id, payee_id, amount_micros, taken_at, details)
    SELECT gen_random_uuid(), payee_id, 1, now(), details FROM sandbox_payees`);
  await ask({ cookie: await sessionOf(pool, other) }, "GET", "/api/otp_secret_generate");
  const { body: setup } = await ask(as, "GET", "/api/otp_secret_generate");
  const secret = String(setup["otp_secret"]);
  const code = await generate({ secret, epoch: Date.now() / 1000 });
  expect(
    await ask(as, "POST", `/api/otp_secret_save?${new URLSearchParams({ code, secret }).toString()}`),
  ).toMatchObject({ status: 200 });

  const { old, unreadable } = await resealColumns({ pool, sealer: sealer([NEW, OLD]), columns: SEALED_COLUMNS });
  expect([old, unreadable]).toEqual([SEALED_COLUMNS.length, []]);
  for (const { purpose, ...column } of SEALED_COLUMNS) {
    const [value = Buffer.of(), ...more] = await valuesOf(column);
    expect([column.table, more]).toEqual([column.table, []]);
    expect(sealer([NEW]).open(value, purpose)).not.toBe("");
  }
});

test("the list has every column of bytes but those that are known not to be sealed", async () => {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type = 'bytea' ORDER BY name`,
  );
  const listed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...listed, "statements.content_hash"].toSorted());
});

test("every column of the list has the key of its table", async () => {
  const { rows } = await pool.query<{ table: string; key: string[] }>(
    `SELECT table_name AS table, array_agg(column_name::text ORDER BY ordinal_position) AS key
     FROM information_schema.key_column_usage JOIN information_schema.table_constraints USING (constraint_name, table_name)
     WHERE constraint_type = 'PRIMARY KEY' AND table_name = ANY ($1) GROUP BY table_name`,
    [SEALED_COLUMNS.map(({ table }) => table)],
  );
  const keys = new Map(rows.map(({ table, key }) => [table, key]));
  for (const { table, key } of SEALED_COLUMNS) expect([table, keys.get(table)]).toEqual([table, key]);
});

test("whatever seals in the source is known: a new place belongs into the list, or lives too short for it", async () => {
  const root = new URL(".", import.meta.url);
  const files = (await readdir(root, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const seals: string[] = [];
  for (const name of files) {
    if (/\/testing\/|^platform\/sealed\//.test(name)) continue;
    if (/\.seal\(/.test(await readFile(new URL(name, root), "utf8"))) seals.push(name);
  }
  const columns = [
    "areas/accounts/authenticator/set-up.ts",
    "areas/demand-partners/credentials.ts",
    "areas/demand-partners/store.ts",
    "areas/measurement/postback-keys.ts",
    "areas/payments/payouts/sandbox-provider.ts",
  ];
  // A cookie that only spares its user a wait, and a job of minutes.
  const elsewhere = ["areas/accounts/sign-in/familiar-device.ts", "areas/accounts/personal-data/forget-people.ts"];
  expect(seals.toSorted()).toEqual([...columns, ...elsewhere].toSorted());
});
