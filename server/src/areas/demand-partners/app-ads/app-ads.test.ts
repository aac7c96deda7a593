import { type AppAds, TEXTS } from "@millrace/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FastifyInstance } from "fastify";
import { buildServer } from "../../../platform/http/build-server.ts";
import { silentLog } from "../../../platform/log.ts";
import { someCaller } from "../../../platform/testing/some-caller.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { testSealer } from "../../../platform/testing/test-sealer.ts";
import { demandPartnersArea, setPartnerKeys, upsertPartner } from "../index.ts";
import { somePartner } from "../../../testing/some-partner.ts";

const pg = await testPostgres();
const { pool } = pg;
let server: FastifyInstance;
let studio: { id: number; uuid: string };
let other: { id: number; uuid: string };

async function account(name: string, live: boolean): Promise<{ id: number; uuid: string }> {
  const { rows } = await pool.query<{ id: number; uuid: string }>(
    "INSERT INTO accounts (name) VALUES ($1) RETURNING id, uuid",
    [name],
  );
  const [made] = rows;
  if (!made) throw new Error("an insert gives its row back");
  const { rows: apps } = await pool.query<{ id: number }>(
    `INSERT INTO apps (account_id, name, bundle_id, platform, moderation) VALUES ($1, 'A', $2, 'android', $3) RETURNING id`,
    [made.id, `com.example.a${made.id}`, live ? "live" : "check"],
  );
  await setPartnerKeys(pool, testSealer, made.id, {
    app_id: apps[0]?.id ?? 0,
    partner_id: "north",
    format: "banner",
    keys: { seat: `seat-${name}` },
    enabled: true,
  });
  return made;
}

beforeAll(async () => {
  const lines = ["north.example, {seat}, DIRECT"];
  await upsertPartner(pool, somePartner({ id: "north", name: "North", media_types: ["banner"], app_ads_lines: lines }));
  studio = await account("studio", true);
  other = await account("other", false);
  server = await buildServer({
    log: silentLog,
    trustedProxies: 0,
    authenticate: async (request) => someCaller({ accountId: Number(request.headers["x-account"]) }),
  });
  demandPartnersArea({
    log: silentLog,
    pool,
    clock: { now: () => Date.now() },
    sealer: testSealer,
    demo: false,
    rateDays: 7,
    currencyRates: undefined,
    partnersOnDay: async () => [],
    publicUrl: "https://ads.example.com",
    contactEmail: "ads@example.com",
    revenueByPartner: async () => new Map([["north", 1_000_000]]),
    findApp: async () => undefined,
  }).routes(server);
});
afterAll(() => server.close());

const get = (url: string, id = studio.id) => server.inject({ url, headers: { "x-account": String(id) } });
const put = (payload: object, query = "") =>
  server.inject({
    method: "PUT",
    url: `/apps/app_ads.json${query}`,
    headers: { "x-account": String(studio.id) },
    payload,
  });

test("an account downloads only its own lines", async () => {
  const file = await get("/app-ads.txt");
  expect([file.headers["content-type"], file.headers["content-disposition"]]).toEqual([
    "text/plain; charset=utf-8",
    'attachment; filename="app-ads.txt"',
  ]);
  expect(file.body).toBe(
    `MANAGERDOMAIN=ads.example.com\nads.example.com, ${studio.uuid}, DIRECT\nnorth.example, seat-studio, DIRECT\n`,
  );
  expect((await get("/apps/app_ads.json")).json()).toEqual({
    domain: null,
    is_confidential: true,
    revision: expect.any(String),
    lines: [
      { line: `ads.example.com, ${studio.uuid}, DIRECT`, partners: ["This platform"] },
      { line: "north.example, seat-studio, DIRECT", partners: ["North"] },
    ],
    left_out: [],
  });
});

test("a check requires a saved site, which must be a domain", async () => {
  const check = await server.inject({
    method: "POST",
    url: "/apps/app_ads_check",
    headers: { "x-account": String(studio.id) },
  });
  expect([check.statusCode, check.json()]).toEqual([422, { error: "Save your developer site first" }]);
  const wrong = await put({ domain: "https://studio.example/", is_confidential: false });
  expect(wrong.json()).toEqual({ error: { domain: "Use a domain like studio.example" } });
});

test("the site accepts only one of two changes that began with the same state", async () => {
  const read = async () => (await get("/apps/app_ads.json")).json() as AppAds;
  const { revision } = await read();
  const sites = ["one.example", "two.example"].map((domain) => ({ domain, is_confidential: true }));
  const replies = await Promise.all(sites.map((site) => put(site, `?revision=${revision}`)));
  expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(replies.find(({ statusCode }) => statusCode === 409)?.json()).toEqual({ error: TEXTS.stale });
  const saved = await read();
  expect(replies.find(({ statusCode }) => statusCode === 200)?.json()).toEqual(saved);
  // Sent again after a lost reply, it is no change of somebody else's.
  const again = await put({ domain: saved.domain, is_confidential: true }, `?revision=${revision}`);
  expect([again.statusCode, again.json()]).toEqual([200, saved]);
  const isOpen = { domain: saved.domain, is_confidential: false };
  expect((await put(isOpen, `?revision=${saved.revision}`)).json()).toMatchObject(isOpen);
  // Without a revision, it replaces whatever there is.
  expect((await put({ domain: "studio.example", is_confidential: true })).statusCode).toBe(200);
});

test("sellers.json lists accounts with live apps, with their names unless confidential", async () => {
  const sellers = async () => (await get("/sellers.json")).json<{ sellers: object[] }>();
  expect(await sellers()).toEqual({
    contact_email: "ads@example.com",
    version: "1.0",
    sellers: [{ seller_id: studio.uuid, seller_type: "PUBLISHER", is_confidential: 1 }],
  });
  await put({ domain: "Studio.Example", is_confidential: false });
  expect((await sellers()).sellers).toEqual([
    { seller_id: studio.uuid, seller_type: "PUBLISHER", name: "studio", domain: "studio.example" },
  ]);
  expect(JSON.stringify(await sellers())).not.toContain(other.uuid);
  expect((await get("/app-ads.txt")).body.split("\n")[0]).toBe("OWNERDOMAIN=studio.example");
});

test("a site in our own network is not fetched", async () => {
  await put({ domain: "localhost.example", is_confidential: true });
  await pool.query("UPDATE accounts SET developer_domain = 'localhost' WHERE id = $1", [studio.id]);
  const check = await server.inject({
    method: "POST",
    url: "/apps/app_ads_check",
    headers: { "x-account": String(studio.id) },
  });
  expect(check.json()).toMatchObject({
    problem: "The address is in a private network",
    revenue_at_risk: 1_000_000,
  });
});

test("checks are rate-limited, with a time to retry", async () => {
  const check = () =>
    server.inject({ method: "POST", url: "/apps/app_ads_check", headers: { "x-account": String(studio.id) } });
  let last = await check();
  for (let tries = 0; tries < 12 && last.statusCode !== 429; tries++) last = await check();
  expect(last.statusCode).toBe(429);
  expect(Number(last.headers["retry-after"])).toBeGreaterThan(0);
});
