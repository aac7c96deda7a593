import { type AppSettings, SETTING_PARTS, type SettingPart, TEXTS } from "@millrace/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { createApp } from "../index.ts";
import { appsServer, newAccount } from "../testing/apps-server.ts";

const stores = await testStores();
const { pool } = stores.pg;
let at: Awaited<ReturnType<typeof appsServer>>;
let owner: number;
let app: { id: number; uuid: string };

beforeAll(async () => {
  at = await appsServer(stores, { role: "SUSR" });
  owner = await newAccount(stores, "Owner");
  app = await createApp(pool, owner, { name: "Puzzle", bundleId: "com.example.puzzle", platform: "android" });
});
afterAll(() => at.stop());

const put = (part: SettingPart | `zones/${string}`, body: object, revision?: string) =>
  at.send("PUT", owner, `/apps/${app.uuid}/${part}${revision === undefined ? "" : `?revision=${revision}`}`, body);
const read = async () => (await at.get(owner, `/apps/${app.uuid}/settings.json`)).body as AppSettings;

const FLAGS = { kids: false, adult: false, is_gaming: false, only_image: false, muted: false };
/** Two bodies for each part, both other than what a new app has. */
const BODIES = {
  flags: [
    { ...FLAGS, kids: true },
    { ...FLAGS, adult: true },
  ],
  learning: [
    { skip_partners: true, exploration: 5 },
    { skip_partners: false, exploration: 9 },
  ],
  floors: [
    { floors: [{ country: "DE", format: null, floor: 2_000_000 }] },
    { floors: [{ country: null, format: "banner", floor: 1 }] },
  ],
  blocks: [
    { categories: ["IAB7"], domains: [] },
    { categories: [], domains: ["shop.example"] },
  ],
  test_devices: [
    { devices: ["38400000-8cf0-11bd-b23e-10b96e40000d"] },
    { devices: ["58400000-8cf0-11bd-b23e-10b96e40000d"] },
  ],
  rewards: [
    { callback_url: null, name: "coins", amount: 5 },
    { callback_url: null, name: "gems", amount: 1 },
  ],
} satisfies Record<SettingPart, [object, object]>;

test.each(SETTING_PARTS)(
  "of two changes of the same %s, the one that has not seen the other is refused",
  async (part) => {
    const { revisions: before } = await read();
    const [first, second] = BODIES[part];
    const replies = await Promise.all([put(part, first, before[part]), put(part, second, before[part])]);
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(replies.find(({ status }) => status === 409)?.body).toEqual({ error: TEXTS.stale });
    const after = await read();
    expect(replies.find(({ status }) => status === 200)?.body).toMatchObject({ [part]: after[part] });
    // The other parts have forms of their own.
    const changed = SETTING_PARTS.filter((each) => before[each] !== after.revisions[each]);
    expect(changed).toEqual([part]);
    expect((await put(part, second, after.revisions[part])).status).toBe(200);
    expect((await put(part, first)).status).toBe(200);
  },
);

test("a zone accepts only one of two changes that began with the same state, whatever happens to other zones", async () => {
  await pool.query(
    `INSERT INTO zones (app_id, zone, name, format) VALUES ($1, 'main', 'Main', 'banner'), ($1, 'end', 'End', 'banner')`,
    [app.id],
  );
  const zoneOf = async (zone: string) => (await read()).zones.find((one) => one.zone === zone);
  const edit = (zone: string, name: string, revision?: string) =>
    put(`zones/${zone}`, { name, refresh_seconds: 30 }, revision);
  const before = await zoneOf("main");
  const replies = await Promise.all(["Top", "First"].map((name) => edit("main", name, before?.revision)));
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(replies.find(({ status }) => status === 409)?.body).toEqual({ error: TEXTS.stale });
  const after = await zoneOf("main");
  expect((await edit("end", "Last", (await zoneOf("end"))?.revision)).status).toBe(200);
  // The second is a retry after a lost reply.
  for (const _ of ["first", "second"]) expect((await edit("main", "Home", after?.revision)).status).toBe(200);
  expect((await edit("main", "Main")).status).toBe(200);
  // Equal content is the same revision, however it came about.
  expect(await zoneOf("main")).toEqual(before);
});
