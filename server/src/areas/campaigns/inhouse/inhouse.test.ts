import { randomUUID } from "node:crypto";
import { TEXTS, inhouseForm } from "@millrace/contract";
import { expect, test } from "vitest";
import { somePng } from "../../../platform/images/testing/some-images.ts";
import { testStores } from "../../../platform/testing/stores.ts";
import { formOf } from "../testing/campaigns-server.ts";
import { anAdvertiser } from "../testing/an-advertiser.ts";

const stores = await testStores();
const { pool } = stores.pg;
const figures = new Map<number, { impressions: number; clicks: number; conversions: number; costs: number }>();
const { at, acts } = await anAdvertiser(stores, { figuresOf: async () => figures });

const FORM = "application/x-www-form-urlencoded";

async function newApp(accountId: number, name: string, moderation = "live"): Promise<string> {
  const { rows } = await pool.query<{ uuid: string }>(
    `INSERT INTO apps (account_id, name, bundle_id, platform, url, moderation)
     VALUES ($1, $2, 'com.example.tide', 'android', 'https://store.example/tide', $3) RETURNING uuid`,
    [accountId, name, moderation],
  );
  return rows[0]?.uuid ?? "";
}

/** A publisher with two apps and an uploaded image. */
async function aPublisher() {
  const accountId = await at.newAccount();
  const [tide, moss] = [await newApp(accountId, "Tide"), await newApp(accountId, "Moss")];
  const { body } = await at.upload(accountId, { content: await somePng(480, 320), fileName: "tide.png" });
  const image = String(body["url"]);
  const fields = (some: object = {}) => ({
    title: "Try Tide",
    desc: "Our puzzle",
    ad_app_id: tide,
    app_id: [moss],
    price: 0,
    geo_type: "in" as const,
    country: ["DE"],
    ios: { all: true, min: "12" as const, max: "26" as const },
    android: { all: false, min: "9" as const, max: "16" as const },
    format: "image" as const,
    target_url: "https://tide.example/?from=moss&x=1",
    store_id: "com.example.tide",
    store_country: "US",
    image_l: image,
    ...some,
  });
  const add = async (some: object = {}) => {
    const { status, body: reply } = await at.post(
      accountId,
      "/inhouse/add",
      inhouseForm(fields(some)).toString(),
      FORM,
    );
    expect([status, reply]).toEqual([200, { uuid: expect.any(String) as string, redirect_to: "/inhouse" }]);
    return String(reply["uuid"]);
  };
  const list = async (query = "") =>
    (await at.get(accountId, `/api/inhouse${query}`)).body as {
      campaigns: Record<string, unknown>[];
      totals: object;
      pager: object;
    };
  return { accountId, tide, moss, image, fields, add, list };
}

test("an in-house campaign is shown as its form sent it, edited, and listed with its installs", async () => {
  const { accountId, tide, moss, image, fields, add, list } = await aPublisher();
  const uuid = await add();
  const { image_l: _, format, target_url, store_id, store_country, ...own } = fields();
  const shown = async () => (await at.get(accountId, `/inhouse/${uuid}/edit.json`)).body;
  expect(await shown()).toMatchObject({
    campaign: { ...own, uuid, status: "active", campaign_status: "play", status_reason: null },
    creatives: [
      {
        format,
        target_url,
        store_id,
        store_country,
        video_orientation: "all",
        skip_timer: 5,
        image_l: { url: image, width: 480, height: 320 },
        image_p: null,
        video: null,
        interstitial_waterfall: false,
      },
    ],
    apps: [
      { uuid: moss, name: "Moss" },
      { uuid: tide, name: "Tide", platform: "android", url: "https://store.example/tide" },
    ],
    countries: { DE: "Germany" },
    versions: { ios: expect.arrayContaining(["26"]) as unknown },
  });

  const edited = await at.post(
    accountId,
    `/inhouse/${uuid}/edit`,
    inhouseForm(fields({ price: 1_500_000, app_id: [tide, moss], title: "Try it" })).toString(),
    FORM,
  );
  expect(edited.body).toEqual({ uuid, redirect_to: "/inhouse" });
  const { rows } = await pool.query<{ id: number }>("SELECT id FROM inhouse_campaigns WHERE uuid = $1", [uuid]);
  figures.set(rows[0]?.id ?? 0, { impressions: 9, clicks: 2, conversions: 1, costs: 0 });
  const page = await list("?ds=2025-01-01&de=2025-01-31");
  expect(page).toMatchObject({
    campaigns: [
      {
        uuid,
        title: "Try it",
        format: "image",
        price: 1_500_000,
        image_url: image,
        impressions: 9,
        clicks: 2,
        installs: 1,
        campaign_status: "play",
        app: { uuid: tide, name: "Tide" },
        shown_in: ["Moss", "Tide"],
      },
    ],
    totals: { impressions: 9, clicks: 2, installs: 1 },
    pager: { last_page: 1 },
  });
  expect((await list("?search=nothing")).campaigns).toEqual([]);
  expect(await acts(uuid)).toMatchObject([
    { action: "inhouse_added", details: { name_changed: true, target_url: "https://tide.example/?from=moss&x=1" } },
    { action: "inhouse_edited", details: { price: 1_500_000, app_id: [tide, moss], name_changed: true } },
  ]);
});

test("a campaign is frozen, started and deleted, and a browser that navigates there returns to the list", async () => {
  const { accountId, add, list } = await aPublisher();
  const uuid = await add();
  const states = async () => (await list()).campaigns.map(({ campaign_status }) => campaign_status);
  const get = (url: string, headers: object = {}) =>
    at.server.inject({ url, headers: { "x-account": String(accountId), accept: "application/json", ...headers } });
  expect((await get(`/inhouse/${uuid}/status?status=frozen`)).json()).toEqual({ ok: 1 });
  expect(await states()).toEqual(["frozen"]);
  const page = { accept: "text/html", "sec-fetch-site": "same-origin" };
  const back = await get(`/inhouse/${uuid}/status?status=active`, page);
  expect([back.statusCode, back.headers.location]).toEqual([303, "/inhouse"]);
  expect(await states()).toEqual(["play"]);
  for (const site of ["cross-site", "same-site", "none"]) {
    const refused = await get(`/inhouse/${uuid}/delete`, { ...page, "sec-fetch-site": site });
    expect([site, refused.statusCode]).toEqual([site, 403]);
  }
  expect((await get(`/inhouse/${uuid}/delete`)).json()).toEqual({ ok: 1 });
  expect(await states()).toEqual([]);
  expect((await get(`/inhouse/${uuid}/delete`)).statusCode).toBe(404);
  expect((await acts(uuid)).map(({ action }) => action)).toEqual([
    "inhouse_added",
    "inhouse_status_set",
    "inhouse_status_set",
    "inhouse_deleted",
  ]);
});

test("a save of what somebody else has changed meanwhile is refused, and a deleted app makes no form stale", async () => {
  const { accountId, tide, moss, fields, add } = await aPublisher();
  const uuid = await add({ app_id: [tide, moss] });
  const shown = async () => (await at.get(accountId, `/inhouse/${uuid}/edit.json`)).body;
  const save = (some: object, query: string) =>
    at.post(accountId, `/inhouse/${uuid}/edit${query}`, inhouseForm(fields(some)).toString(), FORM);
  const opened = `?revision=${String((await shown())["revision"])}`;
  const replies = await Promise.all([save({ price: 1_500_000 }, opened), save({ price: 2_000_000 }, opened)]);
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(replies.find(({ status }) => status === 409)?.body).toEqual({ error: TEXTS.stale });
  const price = replies[0]?.status === 200 ? 1_500_000 : 2_000_000;
  expect(await save({ title: "Try it" }, opened)).toMatchObject({ status: 409 });
  const { campaign, revision } = await shown();
  expect(campaign).toMatchObject({ title: "Try Tide", price });
  await pool.query("UPDATE apps SET deleted_at = now() WHERE uuid = $1", [moss]);
  const reloaded = { price, app_id: [tide], title: "Try it" };
  expect((await save(reloaded, `?revision=${String(revision)}`)).status).toBe(200);
  expect((await save({ app_id: [tide] }, "")).status).toBe(200);
  expect((await shown())["campaign"]).toMatchObject({ title: "Try Tide", price: 0 });
});

test("a campaign that is added or saved again after a lost reply is stored once, and one with other content is refused", async () => {
  const { accountId, tide, moss, fields, list } = await aPublisher();
  const key = randomUUID();
  const send = (path: string, some: object = {}) =>
    at.post(accountId, `/inhouse/${path}`, inhouseForm(fields(some)).toString(), FORM);
  const replies = await Promise.all([send(`add?key=${key}`), send(`add?key=${key.toUpperCase()}`)]);
  expect(await send(`add?key=${key}`, { title: "Try it" })).toMatchObject({ status: 409 });
  const { campaigns } = await list();
  expect(campaigns).toMatchObject([{ title: "Try Tide" }]);
  const uuid = String(campaigns[0]?.["uuid"]);
  for (const { status, body } of replies) expect([status, body]).toEqual([200, { uuid, redirect_to: "/inhouse" }]);

  const { revision } = (await at.get(accountId, `/inhouse/${uuid}/edit.json`)).body;
  const edit = (some: object) => send(`${uuid}/edit?revision=${String(revision)}`, { app_id: [tide, moss], ...some });
  for (const _ of ["first", "again"]) expect(await edit({ price: 9_000 })).toMatchObject({ status: 200 });
  expect(await edit({ price: 8_000 })).toMatchObject({ status: 409, body: { error: TEXTS.stale } });
  expect((await acts(uuid)).map(({ action }) => action)).toEqual(["inhouse_added", "inhouse_edited"]);
  await at.get(accountId, `/inhouse/${uuid}/delete`);
  expect(await send(`add?key=${key}`)).toMatchObject({ status: 404 });
});

test("apps, files and campaigns of another account are as good as none", async () => {
  const [mine, theirs] = [await aPublisher(), await aPublisher()];
  const uuid = await theirs.add();
  const send = async (some: object) =>
    (await at.send(mine.accountId, "/inhouse/add", mine.fields(some))).body["error"] as object;
  expect(await send({ ad_app_id: theirs.tide, app_id: [mine.moss, theirs.moss] })).toEqual({
    ad_app_id: "Choose one of your apps",
    app_id: "Choose your apps only",
  });
  await at.upload(theirs.accountId, { content: await somePng(100, 100), fileName: "a.png" });
  const other = String(
    (await at.upload(theirs.accountId, { content: await somePng(90, 90), fileName: "a.png" })).body["url"],
  );
  expect(await send({ image_l: other, image_p: "/files/no.png" })).toEqual({
    image_l: "Upload the file again",
    image_p: "Upload the file again",
  });
  expect(await send({ country: ["ZZ"], store_country: "ZZ" })).toEqual({
    country: "There is no country ZZ",
    store_country: "This field is required",
  });
  for (const [method, path] of [
    ["GET", "edit.json"],
    ["GET", "status?status=frozen"],
    ["GET", "delete"],
    ["POST", "edit"],
  ] as const) {
    const url = `/inhouse/${uuid}/${path}`;
    const reply = await (method === "GET" ? at.get(mine.accountId, url) : at.send(mine.accountId, url, mine.fields()));
    expect([path, reply.status]).toEqual([path, 404]);
  }
  expect((await theirs.list()).campaigns).toHaveLength(1);
  expect((await mine.list()).campaigns).toEqual([]);
});

test("a campaign whose apps were deleted says so, and its form asks for others", async () => {
  const { accountId, tide, add, list } = await aPublisher();
  const uuid = await add({ app_id: [tide] });
  await pool.query("UPDATE apps SET deleted_at = now() WHERE uuid = $1", [tide]);
  expect((await list()).campaigns[0]).toMatchObject({
    app: null,
    shown_in: [],
    campaign_status: "pause",
    status_reason: "The promoted app was deleted.",
  });
  const { body } = await at.get(accountId, `/inhouse/${uuid}/edit.json`);
  expect(body["campaign"]).toMatchObject({ ad_app_id: "", app_id: [] });
});

test("an upload takes the file with its name in a second field, and refuses what is no image", async () => {
  const { accountId } = await aPublisher();
  const upload = async (content: Buffer | string) => {
    const form = formOf(
      { content, fileName: "a.png", field: "image_p" },
      { content: "a.png", field: "_image_p" },
      { content: "json", field: "format" },
    );
    return at.post(accountId, "/inhouse/upload", form, "multipart/form-data; boundary=----a-boundary");
  };
  expect(await upload(await somePng(320, 480))).toMatchObject({
    status: 200,
    body: { url: expect.stringMatching(/^\/files\//) as unknown, size: expect.any(Number) as unknown, width: 320 },
  });
  const refused = await upload("<svg/>");
  expect([refused.status, typeof refused.body["error"]]).toEqual([422, "string"]);
});

test("a used image outlives the sweep, and a deleted account's campaigns are gone", async () => {
  const { accountId, add } = await aPublisher();
  const uuid = await add();
  await pool.query("UPDATE uploads SET used_at = now() - interval '8 days' WHERE account_id = $1", [accountId]);
  const { forgetUnused } = await import("../upload-store.ts");
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    while ((await forgetUnused(client, new Date(Date.now() - 7 * 86_400_000))) !== null);
    const { rowCount } = await client.query("SELECT FROM uploads WHERE account_id = $1", [accountId]);
    expect(rowCount).toBe(1);
    expect(await at.campaigns.belongingsOf(accountId)).toMatchObject({ inhouse: [{ uuid, title: "Try Tide" }] });
    await at.campaigns.closeAccount(client, accountId);
    const { rows } = await client.query("SELECT FROM inhouse_campaigns WHERE account_id = $1 AND deleted_at IS NULL", [
      accountId,
    ]);
    expect(rows).toEqual([]);
    // Its ads may be shown for a while.
    const stale = "SELECT FROM uploads WHERE account_id = $1 AND used_at < now() - interval '1 day'";
    expect((await client.query(stale, [accountId])).rowCount).toBe(0);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
});
