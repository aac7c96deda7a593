import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { somePng } from "../../platform/images/testing/some-images.ts";
import { testStores } from "../../platform/testing/stores.ts";
import { anAdvertiser } from "./testing/an-advertiser.ts";

const stores = await testStores();
const { pool } = stores.pg;
/** The picture of every app in its store; null if it was not looked up. */
const logo = { url: null as string | null };
const { at, me, imageOf, someCreative, someFields, newCampaign, campaign, list, form, acts } = await anAdvertiser(
  stores,
  {
    appLookup: {
      begin: async () => null,
      find: async () => ({ state: "done", items: [] }),
      logoOf: async () => logo.url,
    },
  },
);

test("a saved campaign keeps its format, by which its past is told", async () => {
  const uuid = await newCampaign();
  const { body: image } = await at.upload(me.accountId, { content: await somePng(480, 320), fileName: "image.png" });
  const creatives = [someCreative({ format: "image", image_url: String(image["url"]) })];
  const edit = { ...(await form(uuid)), campaign_format: "image", creatives };
  expect(await at.send(me.accountId, `/campaign/${uuid}`, edit)).toMatchObject({
    status: 400,
    body: { error: { campaign_format: "The format of a saved campaign cannot be changed" } },
  });
});

test("an edit changes what it changes, and only changed creatives return to moderation", async () => {
  const uuid = await newCampaign(me.accountId, { creatives: [someCreative(), someCreative({ cta: "Play" })] });
  await pool.query(
    "UPDATE creatives SET moderation = 'approved' WHERE campaign_id = (SELECT id FROM campaigns WHERE uuid = $1)",
    [uuid],
  );
  const fields = await form(uuid);
  const unchanged = await at.send(me.accountId, `/campaign/${uuid}`, fields);
  expect(unchanged.status).toBe(200);
  expect((await campaign(uuid)).creatives.map(({ status }) => status)).toEqual(["moderated", "moderated"]);
  expect((await acts(uuid)).map(({ action }) => action)).toEqual(["campaign_added"]);

  const [first, second] = fields.creatives;
  const creatives = [first, { ...second, cta: "Play now" }, someCreative({ cta: "Third" })];
  const edit = { ...fields, name: "Winter", budget: 9_000_000, country: ["DE", "FR"], region: ["DE-BY"], creatives };
  expect((await at.send(me.accountId, `/campaign/${uuid}`, edit)).status).toBe(200);
  const after = await campaign(uuid);
  expect(after).toMatchObject({ name: "Winter", budget: 9_000_000, country: ["DE", "FR"], region: ["DE-BY"] });
  expect(after.creatives.map(({ status }) => status)).toEqual(["moderated", "edited", "new"]);
  expect(after.creatives.slice(0, 2).map(({ c_id }) => c_id)).toEqual([first?.c_id, second?.c_id]);
  const details = (await acts(uuid)).at(-1)?.details;
  expect(details).toEqual({
    name_changed: true,
    budget: 9_000_000,
    country: { added: ["FR"], added_count: 1, removed: ["US"], removed_count: 1 },
    region: { added: ["DE-BY"], added_count: 1, removed: [], removed_count: 0 },
    creatives: { added: 1, edited: [second?.c_id], removed: [] },
  });

  await at.send(me.accountId, `/campaign/${uuid}`, {
    ...edit,
    creatives: [after.creatives[2]].map((one) => ({ ...someCreative({ cta: "Third" }), c_id: one?.c_id })),
  });
  expect((await campaign(uuid)).creatives.map(({ c_id, status }) => [c_id, status])).toEqual([
    [after.creatives[2]?.c_id, "new"],
  ]);
});

test.each([
  ["image", { image_url: "" }],
  ["destination", { click_url: "https://elsewhere.example/" }],
  ["tracker", { tracking_url: "https://tracker.example/" }],
  ["app", { store_id: "com.example.other" }],
  ["store country", { country: "FR" }],
])("another %s of a blocked creative is put before a moderator", async (_, some) => {
  const uuid = await newCampaign();
  await pool.query(
    "UPDATE creatives SET moderation = 'blocked', moderation_reason = 'Too loud' WHERE campaign_id = (SELECT id FROM campaigns WHERE uuid = $1)",
    [uuid],
  );
  const fields = await form(uuid);
  expect((await campaign(uuid)).creatives[0]).toMatchObject({ status: "blocked", reason: "Too loud" });
  const image = "image_url" in some ? { image_url: await imageOf(me.accountId, 300, 250) } : {};
  const creatives = [{ ...fields.creatives[0], ...some, ...image }];
  expect((await at.send(me.accountId, `/campaign/${uuid}`, { ...fields, creatives })).status).toBe(200);
  expect((await campaign(uuid)).creatives[0]).toMatchObject({ status: "edited", reason: null });
});

test.each(["click_link", "view_link"])(
  "another %s of the campaign puts all its creatives before a moderator",
  async (name) => {
    const link = "https://track.example/{click_id}";
    const uuid = await newCampaign(me.accountId, { creatives: [someCreative(), someCreative({ cta: "Play" })] });
    const fields = await form(uuid);
    const approve = () =>
      pool.query(
        "UPDATE creatives SET moderation = 'approved' WHERE campaign_id = (SELECT id FROM campaigns WHERE uuid = $1)",
        [uuid],
      );
    const statuses = async () => (await campaign(uuid)).creatives.map(({ status }) => status);
    await approve();
    expect((await at.send(me.accountId, `/campaign/${uuid}`, { ...fields, [name]: link })).status).toBe(200);
    expect(await statuses()).toEqual(["edited", "edited"]);
    await approve();
    await at.send(me.accountId, `/campaign/${uuid}`, { ...fields, [name]: link });
    expect(await statuses()).toEqual(["moderated", "moderated"]);
  },
);

test("another app or icon of the campaign puts all its creatives before a moderator, without what the last one found", async () => {
  const uuid = await newCampaign();
  const fields = await form(uuid);
  const marked = "categories = '{IAB1}', for_children = true";
  const own = "campaign_id = (SELECT id FROM campaigns WHERE uuid = $1)";
  const statusAfter = async (change: object) => {
    await pool.query(`UPDATE creatives SET moderation = 'approved', ${marked} WHERE ${own}`, [uuid]);
    expect((await at.send(me.accountId, `/campaign/${uuid}`, { ...fields, ...change })).status).toBe(200);
    return (await campaign(uuid)).creatives.map(({ status }) => status);
  };
  expect(await statusAfter({})).toEqual(["moderated"]);
  expect(await statusAfter({ app_platform: "ios" })).toEqual(["edited"]);
  const { rows } = await pool.query(`SELECT categories, for_children FROM creatives WHERE ${own}`, [uuid]);
  expect(rows).toEqual([{ categories: [], for_children: false }]);
  await at.send(me.accountId, `/campaign/${uuid}`, fields);
  expect(await statusAfter({ store_id: "com.example.other" })).toEqual(["edited"]);
  await at.send(me.accountId, `/campaign/${uuid}`, fields);
  expect(await statusAfter({})).toEqual(["moderated"]);
  logo.url = "https://store.example/icon.png";
  expect(await statusAfter({})).toEqual(["edited"]);
  expect(await statusAfter({})).toEqual(["moderated"]);
  logo.url = null;
});

test("clients that know of no regions and stores' countries keep those that there are", async () => {
  const uuid = await newCampaign(me.accountId, {
    region: ["DE-BY", "US-CA"],
    creatives: [someCreative({ country: "FR" })],
  });
  await pool.query(
    "UPDATE creatives SET moderation = 'approved' WHERE campaign_id = (SELECT id FROM campaigns WHERE uuid = $1)",
    [uuid],
  );
  const { creatives, ...fields } = await form(uuid);
  const { region: _, ...known } = fields as typeof fields & { region: string[] };
  const edit = async (some: object) => {
    const [first] = creatives;
    const body = { ...known, creatives: [{ ...someCreative(), c_id: first?.c_id }, someCreative()], ...some };
    expect((await at.send(me.accountId, `/campaign/${uuid}`, body)).status).toBe(200);
    return campaign(uuid);
  };
  const after = await edit({});
  expect(after).toMatchObject({ region: ["DE-BY", "US-CA"] });
  expect(after.creatives).toMatchObject([
    { country: "FR", status: "moderated" },
    { country: "", status: "new" },
  ]);
  expect((await acts(uuid)).at(-1)?.details).toEqual({ creatives: { added: 1, edited: [], removed: [] } });
  // Without a country, its regions cannot stay.
  expect(await edit({ country: ["US"] })).toMatchObject({ country: ["US"], region: ["US-CA"] });
  expect(await edit({ region: [] })).toMatchObject({ region: [] });
});

test("a campaign that has begun can be edited without a new start", async () => {
  const uuid = await newCampaign();
  const fields = { ...(await form(uuid)), start_date: "2020-01-01" };
  expect((await at.send(me.accountId, `/campaign/${uuid}`, fields)).status).toBe(200);
  expect(await campaign(uuid)).toMatchObject({
    start_date: "2020-01-01",
    status_reason: "Its creatives wait for a moderator.",
  });
});

test("an end of more than five years is refused, unless the campaign has had it before", async () => {
  const uuid = await newCampaign(me.accountId, { end_date: null });
  const fields = await form(uuid);
  const refused = { status: 400, body: { error: { end_date: "Choose an end within 5 years" } } };
  const far = { ...fields, end_date: "9999-12-31" };
  expect(await at.send(me.accountId, `/campaign/${uuid}`, far)).toMatchObject(refused);
  expect(await at.send(me.accountId, "/campaign/add", someFields({ end_date: "9999-12-31" }))).toMatchObject(refused);
  await pool.query("UPDATE campaigns SET ends_at = '9999-12-31T09:30Z' WHERE uuid = $1", [uuid]);
  expect((await at.send(me.accountId, `/campaign/${uuid}`, { ...far, name: "Winter" })).status).toBe(200);
});

test("creatives of other campaigns, deleted ones and repeated ones are not there", async () => {
  const [one, other] = [await newCampaign(), await newCampaign()];
  const fields = await form(one);
  const foreign = (await form(other)).creatives;
  const [own] = fields.creatives;
  for (const creatives of [foreign, [own, own], [{ ...own, c_id: randomUUID() }]]) {
    const { status, body } = await at.send(me.accountId, `/campaign/${one}`, { ...fields, creatives });
    expect([status, body]).toEqual([404, { error: "There is no such creative" }]);
  }
  expect((await at.send(me.accountId, "/campaign/add", { ...fields, creatives: [own] })).status).toBe(404);
  expect((await campaign(other)).creatives).toHaveLength(1);
});

test("a change whose audit entry fails is rolled back", async () => {
  const account = await at.newAccount({ balance: 1 });
  const image_url = await imageOf(account);
  await pool.query("ALTER TABLE audit_log ADD CONSTRAINT no_campaigns CHECK (action NOT LIKE 'campaign%') NOT VALID");
  try {
    const { status } = await at.send(
      account,
      "/campaign/add",
      someFields({ creatives: [someCreative({ image_url })] }),
    );
    expect(status).toBe(500);
    expect((await list(account)).campaigns).toEqual([]);
  } finally {
    await pool.query("ALTER TABLE audit_log DROP CONSTRAINT no_campaigns");
  }
});

const creativeRows = async (uuid: string) => {
  const { rows } = await pool.query<{ cta: string; deleted: boolean }>(
    `SELECT r.cta, r.deleted_at IS NOT NULL AS deleted FROM creatives r JOIN campaigns c ON c.id = r.campaign_id
     WHERE c.uuid = $1 ORDER BY r.id`,
    [uuid],
  );
  return rows.map(({ cta, deleted }) => `${cta}${deleted ? ", deleted" : ""}`);
};

test("of deleted creatives only those that were ever approved are kept", async () => {
  const uuid = await newCampaign(me.accountId, {
    creatives: ["Shown", "New", "Blocked"].map((cta) => someCreative({ cta })),
  });
  const decide = (cta: string, moderation: string) =>
    pool.query("UPDATE creatives SET moderation = $2 WHERE cta = $1", [cta, moderation]);
  await decide("Shown", "approved");
  await decide("Blocked", "blocked");
  const fields = await form(uuid);
  const save = (creatives: object[]) => at.send(me.accountId, `/campaign/${uuid}`, { ...fields, creatives });
  // Edited ones wait for a moderator again.
  await save(fields.creatives.map((creative) => ({ ...creative, cta: `${creative.cta} again` })));
  await save([someCreative({ cta: "Next" })]);
  expect(await creativeRows(uuid)).toEqual(["Shown again, deleted", "Next"]);

  for (let nth = 0; nth < 3; nth++) await save([someCreative({ cta: "Replaced" })]);
  expect(await creativeRows(uuid)).toEqual(["Shown again, deleted", "Replaced"]);
  await at.send(me.accountId, `/campaign/${uuid}/status?status=delete`, {});
  expect(await creativeRows(uuid)).toEqual(["Shown again, deleted"]);
});

test("the file of a creative counts as used until the moment when nothing uses it any more", async () => {
  const image_url = await imageOf(me.accountId, 300, 250);
  const other = await imageOf(me.accountId, 320, 100);
  const uuid = await newCampaign(me.accountId, { creatives: [someCreative({ image_url })] });
  const isFresh = async (url: string, change: () => Promise<unknown>) => {
    await pool.query("UPDATE uploads SET used_at = now() - interval '8 days'");
    await change();
    const fresh = "SELECT used_at > now() - interval '1 hour' AS fresh FROM uploads WHERE file = $1";
    return (await pool.query<{ fresh: boolean }>(fresh, [url.slice("/files/".length)])).rows[0]?.fresh;
  };
  const save = async (creatives: object[]) =>
    at.send(me.accountId, `/campaign/${uuid}`, { ...(await form(uuid)), creatives });
  const [own] = (await form(uuid)).creatives;
  expect(await isFresh(image_url, () => save([{ ...own, image_url: other }]))).toBe(true);
  expect(await isFresh(other, () => save([someCreative({ image_url })]))).toBe(true);
  expect(await isFresh(image_url, () => at.send(me.accountId, `/campaign/${uuid}/status?status=delete`, {}))).toBe(
    true,
  );
});

test.each(["com.Slack", "com.my_company.app"])("the app %s of Google Play can be advertised", async (store_id) => {
  const uuid = await newCampaign(me.accountId, { store_id, bundle_id: store_id });
  expect(await campaign(uuid)).toMatchObject({ store_id, creatives: [{ store_id: "com.example.tide" }] });
});
