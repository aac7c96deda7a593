import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { CALLER_KINDS, newAccount } from "../../testing/access-world.ts";
import { type As, newPerson, sessionOf, testPlatform } from "../../testing/test-platform.ts";

const stores = await testStores();
const { pool, ask, mailsTo } = await testPlatform(stores, {
  OPERATOR_NAME: "Example Ads",
  PUBLIC_URL: "https://millrace.example",
});
const admin = await newPerson(pool, "admin@example.com", { role: "admin" });
const asAdmin: As = { cookie: await sessionOf(pool, admin) };

interface Waiting {
  c_id: string;
  waiting_since: string;
  decided_at: string | null;
  owner: { email: string };
}

/** A campaign with one creative that waits, and its owner's e-mail. */
async function newCreative() {
  const { ids, ownerId, accountId } = await newAccount(pool, CALLER_KINDS.owner);
  const { rows } = await pool.query<{ email: string }>("SELECT email FROM users WHERE id = $1", [ownerId]);
  const email = rows[0]?.email ?? "";
  return { ...ids, accountId, ownerId, email };
}
const queue = async (search = "") =>
  (await ask(asAdmin, "GET", `/admin/creatives.json?search=${encodeURIComponent(search)}`)).body[
    "creatives"
  ] as Waiting[];
const decide = (id: string, body: object) => ask(asAdmin, "POST", `/admin/moderation/creatives/${id}`, body);
const subjectsTo = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject);

test("a creative waits until it is approved, and its owner is told", async () => {
  const { creative, campaign, image, email, accountId, ownerId } = await newCreative();
  await pool.query("UPDATE campaigns SET click_link = 'https://track.test/{click_id}' WHERE uuid = $1", [campaign]);
  expect(await queue("track.test")).toHaveLength(1);
  expect(await queue(email)).toEqual([
    {
      c_id: creative,
      campaign: "Campaign",
      app: { platform: "android", store_id: "test.tide", bundle_id: "test.tide", logo_url: null },
      owner: { uuid: expect.any(String), name: "owner", email },
      format: "banner",
      store_id: "test.tide",
      country: "",
      cta: "",
      title: "",
      skip_timer: 0,
      click_url: "https://tide.test/",
      tracking_url: "",
      click_link: "https://track.test/{click_id}",
      view_link: "",
      image: { url: image, size: 1, width: 320, height: 50, video: null },
      status: "new",
      waiting_since: expect.any(String),
      decided_at: null,
      categories: [],
      for_children: false,
    },
  ]);
  const [waiting] = await queue(creative);
  const approved = await decide(creative, { decision: "approve", waiting_since: waiting?.waiting_since });
  expect([approved.status, approved.body]).toEqual([200, { ok: 1 }]);
  expect(await queue(email)).toEqual([]);
  const asOwner = { cookie: await sessionOf(pool, { userId: ownerId, accountId }) };
  const { body } = await ask(asOwner, "GET", `/campaign/${campaign}`);
  expect(body["campaign"]).toMatchObject({ creatives: [{ status: "moderated", reason: null }] });
  await expect.poll(() => subjectsTo(email)).toEqual(["A creative of Campaign is approved"]);
  const [mail] = await mailsTo(email);
  expect(mail?.text).toContain(`https://millrace.example/campaign/${campaign}/edit`);
  const { rows } = await pool.query(
    "SELECT action, account_id, details FROM audit_log WHERE subject = $1 AND actor_user_id = $2",
    [creative, admin.userId],
  );
  expect(rows).toEqual([
    {
      action: "creative_approved",
      account_id: accountId,
      details: { before: "new", reason: "", categories: [], for_children: false },
    },
  ]);
});

test("an approved creative is found again, approved with other findings without another mail, and blocked", async () => {
  const { creative, email } = await newCreative();
  const listed = async (decision: string) =>
    (await ask(asAdmin, "GET", `/admin/creatives.json?decision=${decision}&search=${creative}`)).body["creatives"];
  expect((await decide(creative, { decision: "approve" })).status).toBe(200);
  expect(await listed("waiting")).toEqual([]);
  expect(await listed("approved")).toMatchObject([
    { c_id: creative, status: "approved", decided_at: expect.any(String) },
  ]);
  expect((await decide(creative, { decision: "approve" })).status).toBe(409);
  const found = { categories: ["IAB1"], for_children: true };
  expect((await decide(creative, { decision: "approve", ...found })).status).toBe(200);
  expect(await listed("approved")).toMatchObject([found]);
  expect((await decide(creative, { decision: "block", reason: "Its page has changed" })).status).toBe(200);
  expect(await listed("blocked")).toMatchObject([{ c_id: creative, categories: [], for_children: false }]);
  await expect.poll(async () => (await subjectsTo(email)).length).toBe(2);
});

test("a block needs a reason, which the owner reads", async () => {
  const { creative, campaign, email, accountId, ownerId } = await newCreative();
  expect(await decide(creative, { decision: "block" })).toMatchObject({
    status: 400,
    body: { error: { reason: "This field is required" } },
  });
  expect((await decide(creative, { decision: "block", reason: "Shows <b>nothing</b>" })).status).toBe(200);
  expect(await decide(creative, { decision: "block", reason: "Again" })).toMatchObject({
    status: 409,
    body: { error: "This creative is already blocked" },
  });
  const asOwner = { cookie: await sessionOf(pool, { userId: ownerId, accountId }) };
  const { body } = await ask(asOwner, "GET", `/campaign/${campaign}`);
  expect(body["campaign"]).toMatchObject({ creatives: [{ status: "blocked", reason: "Shows <b>nothing</b>" }] });
  await expect.poll(() => subjectsTo(email)).toEqual(["A creative of Campaign was blocked"]);
  const [mail] = await mailsTo(email);
  expect(mail?.text).toContain("Reason: Shows <b>nothing</b>");
  expect(mail?.html).not.toContain("<b>nothing");
  expect((await decide(creative, { decision: "approve" })).status).toBe(200);
});

test("an approval says which categories a creative has and whether it is for children, until it is edited or blocked", async () => {
  const { creative } = await newCreative();
  const found = async () =>
    (await pool.query<object>("SELECT categories, for_children FROM creatives WHERE uuid = $1", [creative])).rows[0];
  expect((await decide(creative, { decision: "approve", categories: ["casino"] })).status).toBe(400);
  const marks = { categories: ["IAB9-30", "IAB9-30", "IAB1"], for_children: true };
  expect((await decide(creative, { decision: "approve", ...marks })).status).toBe(200);
  expect(await found()).toEqual({ categories: ["IAB9-30", "IAB1"], for_children: true });
  const { rows } = await pool.query("SELECT details FROM audit_log WHERE subject = $1", [creative]);
  const details = { before: "new", reason: "", categories: ["IAB9-30", "IAB1"], for_children: true };
  expect(rows).toEqual([{ details }]);
  expect((await decide(creative, { decision: "block", reason: "No", ...marks })).status).toBe(200);
  expect(await found()).toEqual({ categories: [], for_children: false });
});

test("a creative that its owner has edited since is not decided", async () => {
  const { creative } = await newCreative();
  const [waiting] = await queue(creative);
  await pool.query("UPDATE creatives SET moderation = 'edited', waiting_since = now() WHERE uuid = $1", [creative]);
  const decided = await decide(creative, { decision: "approve", waiting_since: waiting?.waiting_since });
  expect([decided.status, decided.body]).toEqual([
    409,
    { error: "Its owner has edited this creative. Look at it again" },
  ]);
  const [again] = await queue(creative);
  expect((await decide(creative, { decision: "approve", waiting_since: again?.waiting_since })).status).toBe(200);
});

test("a creative that another admin has decided since keeps that decision and its findings", async () => {
  const { creative, email } = await newCreative();
  const [seen] = await queue(creative);
  const asSeen = { waiting_since: seen?.waiting_since, decided_at: seen?.decided_at };
  expect((await decide(creative, { decision: "block", reason: "Malware" })).status).toBe(200);
  const refusal = {
    status: 409,
    body: { error: "Another admin has decided on this creative. Look at it again" },
  };
  expect(await decide(creative, { decision: "approve", ...asSeen })).toMatchObject(refusal);
  const listed = async (decision: string) =>
    (await ask(asAdmin, "GET", `/admin/creatives.json?decision=${decision}&search=${creative}`)).body[
      "creatives"
    ] as Waiting[];
  const [blocked] = await listed("blocked");
  expect((await decide(creative, { decision: "approve", decided_at: blocked?.decided_at })).status).toBe(200);
  const [approved] = await listed("approved");
  const marks = (categories: string[]) => ({ decision: "approve", categories, decided_at: approved?.decided_at });
  expect((await decide(creative, marks(["IAB1"]))).status).toBe(200);
  expect(await decide(creative, marks(["IAB2"]))).toMatchObject(refusal);
  expect(await listed("approved")).toMatchObject([{ categories: ["IAB1"] }]);
  await expect.poll(async () => (await subjectsTo(email)).length, { timeout: 8000 }).toBe(2);
});

test("the longest waiting creative comes first, and deleted ones do not wait", async () => {
  const [first, second, gone] = [await newCreative(), await newCreative(), await newCreative()];
  await pool.query("UPDATE creatives SET waiting_since = now() - interval '3 days' WHERE uuid = $1", [second.creative]);
  await pool.query("UPDATE creatives SET deleted_at = now() WHERE uuid = $1", [gone.creative]);
  const order = (await queue()).map(({ c_id }) => c_id);
  expect(order.indexOf(second.creative)).toBe(0);
  expect(order).toContain(first.creative);
  expect(order).not.toContain(gone.creative);
  expect((await decide(gone.creative, { decision: "approve" })).status).toBe(404);
  expect((await decide(randomUUID(), { decision: "approve" })).status).toBe(404);
});
