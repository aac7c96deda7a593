import type { KillSwitch } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { somePartner } from "../../../testing/some-partner.ts";
import { upsertPartner } from "../index.ts";
import { startDemandPartners } from "../testing/start-demand-partners.ts";

const { pool } = await testPostgres();
let server: FastifyInstance;
let app: string;

beforeAll(async () => {
  server = await startDemandPartners(pool, true);
  // The caller's.
  await pool.query(
    `INSERT INTO users (id, email, name, password_hash) OVERRIDING SYSTEM VALUE VALUES (1, 'ada@example.com', 'Ada', '')`,
  );
  await upsertPartner(pool, somePartner({ id: "north", name: "North" }));
  const { rows } = await pool.query<{ uuid: string }>(
    `WITH account AS (INSERT INTO accounts (name) VALUES ('Studio') RETURNING id)
     INSERT INTO apps (account_id, name, bundle_id, platform) SELECT id, 'Puzzle', 'com.example.puzzle', 'android' FROM account
     RETURNING uuid`,
  );
  app = rows[0]?.uuid ?? "";
});
afterAll(() => server.close());

const SOME = { partner: "north", app: null, sdk_from: null, sdk_to: null, countries: [], reason: "It crashes" };
const add = (more: object) =>
  server.inject({ method: "POST", url: "/admin/kill_switches.json", payload: { ...SOME, ...more } });
const end = (id: string) => server.inject({ method: "POST", url: `/admin/kill_switches/${id}/end` });
const list = async () =>
  (await server.inject({ url: "/admin/kill_switches.json" })).json<{ switches: KillSwitch[] }>().switches;

test("a switch is added, listed with its names, and ended once; both acts are in the audit log", async () => {
  const reply = await add({ app, sdk_from: "1.0.0", sdk_to: "1.0.3", countries: ["DE", "DE", "FR"] });
  expect(reply.statusCode).toBe(200);
  const [made] = await list();
  expect(made).toMatchObject({
    partner: "north",
    partner_name: "North",
    app,
    app_name: "Puzzle",
    sdk_from: "1.0.0",
    sdk_to: "1.0.3",
    countries: ["DE", "FR"],
    reason: "It crashes",
    created_by: "ada@example.com",
    ended_at: null,
  });
  await add({ partner: null, sdk_to: "0.9.9" });
  expect((await end(made?.id ?? "")).statusCode).toBe(200);
  const ended = (await list()).find(({ id }) => id === made?.id)?.ended_at;
  expect(ended).not.toBeNull();
  expect((await list()).map(({ partner }) => partner)).toEqual([null, "north"]);
  // Two admins who end it at once end it once.
  await end(made?.id ?? "");
  expect((await list()).find(({ id }) => id === made?.id)?.ended_at).toBe(ended);
  const { rows } = await pool.query<{ action: string }>(
    "SELECT action, details FROM audit_log WHERE subject = $1 ORDER BY id",
    [made?.id],
  );
  expect(rows).toMatchObject([
    { action: "kill_switch_added", details: { partner: "north", reason: "It crashes" } },
    { action: "kill_switch_ended" },
  ]);
});

test("a switch that is in force is not added again, so that ending it ends all of it", async () => {
  const some = { sdk_from: "2.0.0", countries: ["DE", "FR"] };
  const inForce = async () =>
    (await list()).filter(({ sdk_from, ended_at }) => sdk_from === "2.0.0" && ended_at === null);
  const replies = await Promise.all([add(some), add({ ...some, countries: ["FR", "DE"] })]);
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect(await inForce()).toHaveLength(1);
  expect((await add({ ...some, reason: "It is slow" })).json()).toEqual({
    error: "A switch with the same conditions is already in force. Reason: It crashes",
  });
  expect((await add({ ...some, countries: ["DE"] })).statusCode).toBe(200);
  expect(await inForce()).toHaveLength(2);
  for (const { id } of await inForce()) await end(id);
  expect((await add(some)).statusCode).toBe(200);
  for (const { id } of await inForce()) await end(id);
});

test("the record of a switch outlives the partner and the app that it names", async () => {
  await upsertPartner(pool, somePartner({ id: "south", name: "South" }));
  const { rows } = await pool.query<{ uuid: string }>(
    `INSERT INTO apps (account_id, name, bundle_id, platform)
     SELECT account_id, 'Chess', 'com.example.chess', 'android' FROM apps WHERE uuid = $1 RETURNING uuid`,
    [app],
  );
  const chess = rows[0]?.uuid;
  await add({ partner: "south", app: chess });
  const made = (await list()).find(({ partner }) => partner === "south");
  await end(made?.id ?? "");
  await pool.query("DELETE FROM partners WHERE id = 'south'");
  await pool.query("DELETE FROM apps WHERE uuid = $1", [chess]);
  expect((await list()).find(({ id }) => id === made?.id)).toMatchObject({
    partner: "south",
    partner_name: "South",
    app: chess,
    app_name: "Chess",
  });
});

test.each([
  ["partner", { partner: "nobody" }, "There is no such partner"],
  ["app", { app: "0f8fad5b-d9cb-469f-a165-70867728950e" }, "There is no app with this key"],
  ["app", { partner: null }, "Name an app, versions or countries: otherwise nothing is sold at all"],
  ["sdk_from", { sdk_from: "1.0" }, "Use a version like 1.4.0"],
  ["sdk_to", { sdk_from: "1.10.0", sdk_to: "1.9.0" }, "Use a version that is not below the first"],
  ["countries", { countries: ["Germany"] }, "Use codes like DE"],
  ["reason", { reason: " " }, "This field is required"],
])("a wrong %s is refused at its field: %j", async (field, more, text) => {
  const reply = await add(more);
  expect(reply.statusCode).toBe(400);
  const { error } = reply.json<{ error: Record<string, string> }>();
  expect(Object.entries(error).map(([path, message]) => [path.split(".")[0], message])).toEqual([[field, text]]);
});

test("a switch that does not exist cannot be ended", async () => {
  expect((await end("0f8fad5b-d9cb-469f-a165-70867728950e")).statusCode).toBe(404);
});
