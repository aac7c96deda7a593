import type { Annotations, ErrorReply } from "@millrace/contract";
import { beforeAll, expect, test } from "vitest";
import { impression, keep, session } from "../../statistics/testing/some-rows.ts";
import { appsServer } from "../testing/apps-server.ts";
import { DAYS, twoApps } from "../testing/two-apps.ts";

const { stores, at, owner, other, tide, chess } = await twoApps();
const { pool } = stores.pg;

const record = (time: string, action: string, details: object, some: { subject?: string; as?: number } = {}) =>
  pool.query(
    `INSERT INTO audit_log (at, actor_user_id, as_user_id, account_id, action, subject, details)
     VALUES ($1, 7, $2, $3, $4, $5, $6)`,
    [time, some.as ?? null, owner, action, some.subject ?? tide.uuid, details],
  );
const floors = (country: string, floor: number) => ({
  added: [{ country, format: null, floor }],
  added_count: 1,
  removed: [],
  removed_count: 0,
});

beforeAll(async () => {
  await record("2024-11-18T09:00:00Z", "app_floors_set", floors("DE", 2_310_000));
  await record("2024-11-19T08:00:00Z", "app_partner_switched", { partner: "aurora", enabled: false }, { as: 8 });
  await record("2024-11-19T10:00:00Z", "app_floors_set", floors("US", 1_000_000), { subject: chess.uuid });
  await record("2024-11-19T10:00:00Z", "password_changed", {});
  await record("2024-11-17T23:59:59Z", "app_muted", { muted: true });
  // The version 9 has started, and never shown an ad: anybody can make one up.
  await keep(stores.clickhouse, {
    events: [
      session("2024-11-19T09:00:00Z", { app_id: tide.id, sdk_version: "9.0.0" }),
      impression("2024-11-19T09:00:00Z", { app_id: chess.id, sdk_version: "1.1.0" }),
    ],
  });
});

const server = (role: "owner" | "GST") =>
  appsServer(stores, {
    role,
    now: () => Date.parse("2024-11-19T12:00:00Z"),
    memberNames: async () => new Map([[7, "Ada"]]),
  });
const read = async (where: string, role: "owner" | "GST" = "owner", filter = "") => {
  const running = await server(role);
  const { status, body } = await running.get(owner, `/apps/${where}/annotations.json?${DAYS}${filter}`);
  await running.stop();
  expect(status).toBe(200);
  return (body as Annotations).annotations;
};

test("an app's changes and new SDK versions are told in order, with who made them", async () => {
  const app = { app_id: tide.id, uuid: tide.uuid, name: "Tide Puzzle" };
  expect(await read(tide.uuid)).toEqual([
    { at: "2024-11-18T00:00:00.000Z", kind: "sdk", text: "SDK 1.0.0", who: null, app },
    { at: "2024-11-18T09:00:00.000Z", kind: "floor", text: "Floor DE $2.31", who: "Ada", app },
    { at: "2024-11-19T00:00:00.000Z", kind: "sdk", text: "SDK 1.1.0", who: null, app },
    // An admin acted for the account.
    { at: "2024-11-19T08:00:00.000Z", kind: "switch", text: "Aurora Exchange off", who: "Support", app },
  ]);
});

test("changes that concern no part of the filter are left out", async () => {
  const kinds = async (filter: string) => (await read(tide.uuid, "owner", filter)).map(({ text }) => text);
  const versions = ["SDK 1.0.0", "SDK 1.1.0"];
  const without = (text: string) =>
    ["SDK 1.0.0", "Floor DE $2.31", "SDK 1.1.0", "Aurora Exchange off"].filter((told) => told !== text);
  expect(await kinds("&country=US")).toEqual(without("Floor DE $2.31"));
  expect(await kinds("&country=US&country=DE")).toContain("Floor DE $2.31");
  // The floor is for all formats.
  expect(await kinds("&format=video")).toContain("Floor DE $2.31");
  expect(await kinds("&provider=borealis")).toEqual(without("Aurora Exchange off"));
  expect(await kinds("&provider=borealis&country=US")).toEqual(versions);
  expect(await kinds("&provider=0&country=0")).toHaveLength(4);
});

test("the changes of all apps name their app", async () => {
  const texts = (await read("performance")).map(({ app, text }) => `${app.name}: ${text}`);
  expect(texts).toContain("=Chess: Floor US $1.00");
  expect(texts).toContain("Tide Puzzle: Floor DE $2.31");
});

test("a guest, who may not open the settings, reads neither values nor names", async () => {
  const told = await read(tide.uuid, "GST");
  expect(told.map(({ text, who }) => [text, who])).toEqual([
    ["SDK 1.0.0", null],
    ["Floors changed", null],
    ["SDK 1.1.0", null],
    ["A partner switched on or off", null],
  ]);
});

test("another account's app is not found, and its changes are in no list", async () => {
  expect((await at.get(other, `/apps/${tide.uuid}/annotations.json?${DAYS}`)).status).toBe(404);
  expect((await at.get(other, `/apps/performance/annotations.json?${DAYS}`)).body).toEqual({ annotations: [] });
  const { status, body } = await at.get(owner, `/apps/${tide.uuid}/annotations.json?ds=2024-11-19&de=2024-11-18`);
  expect([status, Object.keys((body as ErrorReply).error)]).toEqual([400, ["de"]]);
});
