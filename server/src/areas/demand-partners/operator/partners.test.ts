import { type AdminPartner, type CurrencyRates, type PartnerTest, TEXTS } from "@millrace/contract";
import { beforeAll, expect, test } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { testSealer } from "../../../platform/testing/test-sealer.ts";
import { sealer } from "../../../platform/sealed/sealer.ts";
import { keyReader, upsertPartner } from "../index.ts";
import { someSettings, startDemandPartners } from "../testing/start-demand-partners.ts";
import { somePartner } from "../../../testing/some-partner.ts";

const pg = await testPostgres();
const { pool } = pg;
/** With and without demo mode. */
const inDemo = await startDemandPartners(pool, true);
const inEarnest = await startDemandPartners(pool, false);

beforeAll(async () => {
  await upsertPartner(pool, somePartner({ id: "north", name: "North" }));
});

const save = (id: string, body: object, server = inDemo) =>
  server.inject({ method: "PUT", url: `/admin/partners/${id}`, payload: body });
const read = async (id: string) => (await inDemo.inject({ url: `/admin/partners/${id}.json` })).json<AdminPartner>();
const send = (id: string, body: object, server = inDemo) =>
  server.inject({ method: "POST", url: `/admin/partners/${id}/test`, payload: body });

test("the catalogue lists the platform's partners with their day, and each adapter that none of them uses", async () => {
  const { partners } = (await inDemo.inject({ url: "/admin/partners.json" })).json<{
    partners: { id: string; connected: boolean; today: unknown }[];
  }>();
  expect(partners).toHaveLength(41);
  expect(partners[0]).toMatchObject({
    id: "north",
    connected: true,
    today: { asked: 9, bids: 3, wins: 1, timeouts: 2, errors: 1, p50_ms: 20, p95_ms: 40 },
  });
  expect(partners.filter(({ connected }) => !connected)).toHaveLength(40);
});

test("a partner is connected from the catalogue, changed, and read by the exchange with its secret headers", async () => {
  expect(await read("xandr")).toMatchObject({ connected: false, settings: { kind: "xandr", active: false } });
  const first = someSettings({
    headers: { "X-Source": "a" },
    credentials: { Authorization: "Bearer secret-7" },
    platform_ids: { seller: "77" },
    schain_node: { asi: "example.com", sid: "s-1" },
    currency: "EUR",
    qps_limit: 50,
    platforms: ["ios"],
  });
  const reply = await save("xandr", first);
  expect([reply.statusCode, reply.json()]).toEqual([
    200,
    expect.objectContaining({
      connected: true,
      settings: expect.objectContaining({
        headers: { "x-source": "a" },
        credentials: ["authorization"],
        qps_limit: 50,
        platforms: ["ios"],
      }) as unknown,
    }),
  ]);
  expect(reply.body).not.toContain("secret-7");
  // Saved again without entering them, credentials stay.
  await save("xandr", someSettings({ name: "Microsoft", headers: { "x-source": "a" } }));
  const row = (await keyReader(testSealer, silentLog).partners(pool)).find(({ id }) => id === "xandr");
  expect(row).toMatchObject({
    name: "Microsoft",
    headers: { "x-source": "a", authorization: "Bearer secret-7" },
    currency: null,
  });
  const { rows: stored } = await pool.query<{ text: string }>("SELECT to_jsonb(partners)::text AS text FROM partners");
  expect(stored.map(({ text }) => text).join()).not.toContain("secret-7");
  await save("xandr", someSettings({ credentials: {} }));
  expect((await read("xandr")).settings.credentials).toEqual([]);
});

test("of two admins who change a partner at once, the one who has not seen the other's change is refused", async () => {
  const at = async (revision: string, some: object) =>
    (await save(`openx?revision=${revision}`, someSettings({ kind: "openx", ...some }))).statusCode;
  const unsaved = await read("openx");
  expect(await Promise.all([at(unsaved.revision, { qps_limit: 1 }), at(unsaved.revision, { qps_limit: 2 })])).toEqual(
    expect.arrayContaining([200, 409]),
  );
  const saved = await read("openx");
  expect(await at(unsaved.revision, { active: true })).toBe(409);
  // The second is a retry after a lost reply.
  for (const _ of ["first", "second"])
    expect(await at(saved.revision, { active: false, credentials: { authorization: "Bearer secret-8" } })).toBe(200);
  const stale = await save(`openx?revision=${saved.revision}`, someSettings({ kind: "openx", active: true }));
  expect(stale.json()).toEqual({ error: TEXTS.stale });
  expect((await read("openx")).settings).toMatchObject({ active: false, credentials: ["authorization"] });
  expect((await save("openx", someSettings({ kind: "openx", active: true }))).statusCode).toBe(200);
});

test("each change is in the audit log by the names of what changed, without secrets", async () => {
  await save("criteo", someSettings({ kind: "criteo", credentials: { "x-key": "secret-8" } }));
  await save("criteo", someSettings({ kind: "criteo", name: "C", active: false }));
  const { rows } = await pool.query<{ action: string; details: { changed: string[] } }>(
    "SELECT action, details FROM audit_log WHERE subject = 'criteo' ORDER BY id",
  );
  expect(rows).toEqual([
    {
      action: "partner_connected",
      details: { changed: expect.arrayContaining(["name", "active", "credentials"]) as unknown },
    },
    { action: "partner_changed", details: { changed: ["name", "active"] } },
  ]);
  expect(JSON.stringify(rows)).not.toContain("secret-8");
});

test("credentials whose secret is gone cost no other partner, and can be entered again", async () => {
  const other = sealer(["another secret of at least 32 characters"]);
  await save("kargo", someSettings({ kind: "kargo", credentials: { "x-key": "secret-9" } }));
  const rows = await keyReader(other, silentLog).partners(pool);
  expect(rows.find(({ id }) => id === "kargo")?.headers).toEqual({});
  expect(rows.map(({ id }) => id)).toContain("north");
});

test.each([
  ["kind", { kind: "nobody" }],
  ["name", { name: "" }],
  ["endpoint", { endpoint: "ftp://example.com" }],
  ["endpoint", { endpoint: "https://user:pass@example.com/bid" }],
  ["endpoint", { endpoint: "https://example.com/{bid" }],
  ["media_types", { media_types: [] }],
  ["media_types", { media_types: ["audio"] }],
  ["platforms", { platforms: [] }],
  ["platforms", { platforms: ["toaster"] }],
  ["regions", { regions: [] }],
  ["regions", { regions: ["atlantis"] }],
  ["region_endpoints", { region_endpoints: { emea: "ftp://bids.example" } }],
  ["region_endpoints", { region_endpoints: { emea: "" } }],
  ["region_endpoints", { regions: ["apac"], region_endpoints: { emea: "https://bids.example" } }],
  ["gvl_id", { gvl_id: 0 }],
  ["qps_limit", { qps_limit: 0 }],
  ["headers", { headers: { host: "example.com" } }],
  ["headers", { headers: { "x-a": "a\r\nb: c" } }],
  ["headers", { headers: { "a b": "c" } }],
  ["credentials", { headers: { "x-a": "1" }, credentials: { "X-A": "2" } }],
  ["platform_ids", { platform_ids: { "__proto__ ": "1" } }],
  ["currency", { currency: "euro" }],
  ["schain_node", { schain_node: { asi: "no domain", sid: "1" } }],
  ["app_ads_lines", { app_ads_lines: ["example.com, {id}"] }],
])("a wrong %s is refused at its field (%j)", async (field, wrong) => {
  const reply = await save("adform", { ...someSettings({ kind: "adform" }), ...wrong });
  expect(reply.statusCode).toBe(400);
  const [named] = Object.keys(reply.json<{ error: object }>().error);
  expect(named?.split(".")[0]).toBe(field);
  expect((await read("adform")).connected).toBe(false);
});

test("a generic bidder needs an address, and no partner changes its adapter", async () => {
  const generic = someSettings({ kind: "openrtb", media_types: ["banner"] });
  expect((await save("acme", generic)).json()).toEqual({ error: { endpoint: "This field is required" } });
  expect((await save("acme", { ...generic, endpoint: "https://acme.example/{{seat}}" })).statusCode).toBe(200);
  expect(Object.keys((await save("acme", someSettings())).json<{ error: object }>().error)).toEqual(["kind"]);
  for (const id of ["campaigns", "inhouse", "A", "a b"]) expect((await save(id, generic)).statusCode).toBe(400);
  for (const id of ["nobody", "openrtb"]) {
    expect((await inDemo.inject({ url: `/admin/partners/${id}.json` })).statusCode).toBe(404);
  }
  expect((await inDemo.inject({ url: "/admin/partners/nobody.json?kind=openrtb" })).statusCode).toBe(200);
});

test.each([
  "http://127.0.0.1/bid",
  "http://localhost:8080/bid",
  "http://[::1]/bid",
  "http://169.254.169.254/latest",
  "http://10.0.0.1",
])("outside demo mode, the private endpoint %s is neither saved nor called", async (endpoint) => {
  const inside = someSettings({ kind: "openrtb", media_types: ["banner"], endpoint });
  const reply = await save("inside", inside, inEarnest);
  expect([reply.statusCode, reply.json()]).toEqual([
    400,
    { error: { endpoint: "This address is in a private network" } },
  ]);
  await upsertPartner(pool, somePartner({ id: "inside", endpoint }));
  const tested = (await send("inside", { media_type: "banner", keys: {} }, inEarnest)).json<PartnerTest>();
  expect(tested).toEqual({ calls: [], refused: "Its address is in a private network" });
  await pool.query("DELETE FROM partners WHERE id = 'inside'");
});

test("a rate is noted by hand up to today, is in the audit log, and says when it is too old", async () => {
  const note = (body: object) => inDemo.inject({ method: "POST", url: "/admin/currency_rates.json", payload: body });
  const today = new Date().toISOString().slice(0, 10);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  expect((await note({ currency: "EUR", day: "2024-01-02", usd: 1.09 })).json()).toEqual({
    rates: [{ currency: "EUR", day: "2024-01-02", usd: 1.09, source: "hand", is_current: false }],
    days: 7,
    has_feed: false,
  });
  expect((await note({ currency: "EUR", day: today, usd: 1.05 })).json<CurrencyRates>().rates).toEqual([
    { currency: "EUR", day: today, usd: 1.05, source: "hand", is_current: true },
  ]);
  for (const [field, wrong] of [
    ["day", { day: tomorrow }],
    ["currency", { currency: "USD" }],
    ["currency", { currency: "euro" }],
    ["usd", { usd: 0 }],
    ["usd", { usd: -1 }],
  ] as const) {
    const reply = await note({ currency: "EUR", day: today, usd: 1, ...wrong });
    expect([reply.statusCode, Object.keys(reply.json<{ error: object }>().error)]).toEqual([400, [field]]);
  }
  const { rows } = await pool.query(
    "SELECT subject, details FROM audit_log WHERE action = 'currency_rate_noted' ORDER BY id",
  );
  expect(rows.at(-1)).toEqual({ subject: "EUR", details: { day: today, usd: 1.05 } });
});
