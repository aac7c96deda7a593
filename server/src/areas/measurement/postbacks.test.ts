import type { Measurement } from "@millrace/contract";
import { beforeAll, expect, test } from "vitest";
import { Problem } from "../../platform/http/problem.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { testStores } from "../../platform/testing/stores.ts";
import type { ClickFacts } from "./click-id.ts";
import { claimConversion } from "./conversion-store.ts";
import { signatureOf } from "./postback-signature.ts";
import { aMeasuredAdvertiser } from "./testing/measured-advertiser.ts";

const stores = await testStores();
const { at, me, campaign, aCampaign, measurement, clickIds, clickOf, statistics, conversions } =
  await aMeasuredAdvertiser(stores);
const { clock } = at;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let about: { postback_url: string; secret: string };
let other = { id: 0, uuid: "" };
beforeAll(async () => {
  other = await aCampaign(await at.newAccount({ balance: 5_000_000 }));
  about = { ...(await measurement()), ...(await newSecret()) };
});

const newSecret = async () => {
  const { body } = await at.send(me.accountId, "/campaign/postback_secret", {});
  return { secret: String(body["secret"]) };
};

async function send(params: Record<string, string>, { secret = about.secret, url = about.postback_url } = {}) {
  const query = new URLSearchParams({ ...params, ...(secret !== "" && { secret }) });
  const reply = await at.server.inject({ url: `${new URL(url).pathname}?${query.toString()}` });
  return [reply.statusCode, reply.json<object>()] as const;
}

async function sendBody(payload: object, inAddress: Record<string, string> = {}) {
  const url = `${new URL(about.postback_url).pathname}?${new URLSearchParams(inAddress).toString()}`;
  const reply = await at.server.inject({ method: "POST", url, payload });
  return [reply.statusCode, reply.json<object>()] as const;
}

/** Statements of this database that wait for another one's transaction. */
const WAITS =
  "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INTO conversions%'";

const outcomes = async () => (await measurement()).postbacks.map(({ outcome }) => outcome);

test("a conversion counts once for its click, event and transaction, and each repetition is refused", async () => {
  const before = await conversions();
  const click_id = clickOf();
  expect(await send({ click_id })).toEqual([200, { ok: 1 }]);
  expect(await send({ click_id })).toEqual([409, { error: "Counted before" }]);
  // The same ad's impression claims the same conversion.
  expect((await send({ click_id: clickOf({ kind: "view", ad: clickIds.open(click_id)?.ad ?? "" }) }))[0]).toBe(409);
  // Another event, and two purchases.
  for (const transaction_id of ["1", "2", "2"]) await send({ click_id, event: "purchase", transaction_id });
  expect(await conversions()).toBe(before + 1);
  expect((await outcomes()).slice(0, 6)).toEqual([
    "replayed",
    "accepted",
    "accepted",
    "replayed",
    "replayed",
    "accepted",
  ]);
});

/** A cross promotion of the advertiser's account, or of another. */
async function aPromotion(accountId: number): Promise<{ id: number; uuid: string }> {
  const { rows } = await stores.pg.pool.query<{ id: number; uuid: string }>(
    `WITH app AS (
       INSERT INTO apps (account_id, name, bundle_id, platform, moderation)
       VALUES ($1, 'Tide', 'com.example.tide', 'android', 'live') RETURNING id
     ), image AS (
       INSERT INTO uploads (account_id, file, bytes, width, height, created_at, used_at)
       VALUES ($1, 'tide.png', 1, 320, 480, now(), now()) RETURNING id
     )
     INSERT INTO inhouse_campaigns (account_id, title, description, ad_app_id, app_ids, price_micros, geo_type, countries, ios,
       android, format, target_url, store_id, store_country, portrait_id, video_orientation, skip_timer, interstitial_waterfall,
       created_at)
     SELECT $1, 'Try Tide', 'Our puzzle', app.id, ARRAY[app.id], 0, 'not_in', '{}', '{"all":true,"min":"12","max":"26"}',
       '{"all":true,"min":"5","max":"16"}', 'image', 'https://tide.example/', 'com.example.tide', 'US', image.id, 'all', 5, false,
       now()
     FROM app, image RETURNING id, uuid`,
    [accountId],
  );
  return rows[0] ?? { id: 0, uuid: "" };
}

test("an install after a cross promotion's click counts once, within a week, and for its own account", async () => {
  const promotion = await aPromotion(me.accountId);
  const campaignId = promotion.id;
  const click_id = clickOf({ campaignId, creativeId: 0 });
  expect(await send({ click_id })).toEqual([200, { ok: 1 }]);
  expect(await send({ click_id })).toEqual([409, { error: "Counted before" }]);
  // Another event is recorded, and no install.
  expect((await send({ click_id, event: "purchase" }))[0]).toBe(200);
  const week = { campaignId, atMs: clock.now() - 7 * DAY };
  expect((await send({ click_id: clickOf({ ...week, atMs: week.atMs + 5000 }) }))[0]).toBe(200);
  expect((await send({ click_id: clickOf({ ...week, atMs: week.atMs - 5000 }) }))[0]).toBe(410);
  const foreign = await aPromotion(await at.newAccount());
  expect((await send({ click_id: clickOf({ campaignId: foreign.id }) }))[0]).toBe(404);
  expect([await conversions(campaignId), await conversions(foreign.id)]).toEqual([2, 0]);

  // Its owner sees them, and can try the address.
  const path = `/inhouse/${promotion.uuid}`;
  expect((await at.send(me.accountId, `${path}/postback/test`, {})).status).toBe(200);
  const { body } = await at.get(me.accountId, `${path}/measurement.json`);
  expect(body).toMatchObject({ postback_url: about.postback_url });
  const lines = (body as unknown as Measurement).postbacks.map(({ outcome, test: isTest }) => [outcome, isTest]);
  expect(lines.slice(0, 3)).toEqual([
    ["accepted", true],
    ["unknown_click", false],
    ["late", false],
  ]);
  expect(await conversions(campaignId)).toBe(2);
  expect((await at.get(me.accountId, `/inhouse/${foreign.uuid}/measurement.json`)).status).toBe(404);
  expect((await at.send(me.accountId, `/inhouse/${foreign.uuid}/postback/test`, {})).status).toBe(404);
});

test("twenty equal postbacks at once are one conversion", async () => {
  const before = await conversions();
  const click_id = clickOf();
  const replies = await Promise.all(Array.from({ length: 20 }, () => send({ click_id })));
  expect(replies.filter(([status]) => status === 200)).toHaveLength(1);
  expect(await conversions()).toBe(before + 1);
});

test("a conversion counts until the end of its window, and is late after it", async () => {
  const status = async (some: Partial<ClickFacts>) => (await send({ click_id: clickOf(some) }))[0];
  const now = clock.now();
  expect(await status({ atMs: now - 2 * DAY + 5000 })).toBe(200);
  expect(await status({ atMs: now - 2 * DAY - 5000 })).toBe(410);
  expect(await status({ kind: "view", atMs: now - 3 * HOUR + 5000 })).toBe(200);
  expect(await status({ kind: "view", atMs: now - 3 * HOUR - 5000 })).toBe(410);
  expect(await status({ atMs: now + HOUR })).toBe(410);
});

test("conversions after a click and after an impression alone are reported apart", async () => {
  const { id } = await aCampaign(me.accountId);
  await send({ click_id: clickOf({ campaignId: id }) });
  await send({ click_id: clickOf({ campaignId: id, kind: "view" }) });
  await send({ click_id: clickOf({ campaignId: id, kind: "view" }), event: "purchase" });
  await statistics.flush();
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const scope = { campaignIds: [id], range: { ds: today, de: today }, campaignFormats: [], countries: [] };
  const totals = await statistics.campaigns.of({ scope, compare: "none", metrics: [] }).totals();
  expect(totals).toMatchObject({ conversions: 1, view_conversions: 1, cvr: null, cpa: 0 });
});

test("forged, foreign and malformed postbacks are refused, counted by reason, and change nothing", async () => {
  const before = await conversions();
  const counted = (await measurement()).counts;
  const click_id = clickOf();
  expect(await send({ click_id }, { secret: "" })).toEqual([401, { error: "The secret or the signature is wrong" }]);
  expect((await send({ click_id }, { secret: "guessed" }))[0]).toBe(401);
  expect(
    (await send({ click_id: click_id.slice(0, 20) + (click_id[20] === "A" ? "B" : "A") + click_id.slice(21) }))[0],
  ).toBe(404);
  expect((await send({ click_id: clickOf({ campaignId: other.id }) }))[0]).toBe(404);
  expect(await send({ click_id: "" })).toEqual([400, { error: { click_id: "This parameter is missing" } }]);
  expect(await send({ click_id, event: "<script>" })).toEqual([400, { error: { event: expect.any(String) } }]);
  const long = { click_id, transaction_id: "x".repeat(129) };
  expect(await send(long)).toEqual([400, { error: { transaction_id: expect.any(String) } }]);
  expect((await send({ click_id }, { url: "https://x/postback/6f9619ff-8b86-4d01-b42d-00cf4fc964ff" }))[0]).toBe(404);
  const { counts, postbacks } = await measurement();
  const added = (outcome: keyof typeof counts) => (counts[outcome] ?? 0) - (counted[outcome] ?? 0);
  expect([added("unauthorized"), added("unknown_click"), added("malformed")]).toEqual([2, 2, 3]);
  expect(JSON.stringify(postbacks)).not.toContain("script");
  expect(await conversions()).toBe(before);
  expect(await conversions(other.id)).toBe(0);
  // The click is still good.
  expect((await send({ click_id }))[0]).toBe(200);
});

test("a signature replaces the secret, by GET and by POST", async () => {
  const params = { click_id: clickOf(), event: "install", country: "DE" };
  const signature = signatureOf(new Map(Object.entries(params)), about.secret);
  expect((await send({ ...params, country: "US", signature }, { secret: "" }))[0]).toBe(401);
  expect(await send({ ...params, signature }, { secret: "" })).toEqual([200, { ok: 1 }]);
  const post = async (payload: object) => (await sendBody(payload))[0];
  expect(await post({ click_id: clickOf(), secret: about.secret })).toBe(200);
  const bought = { click_id: clickOf(), transaction_id: 7, revenue: 1.99, first: true };
  const asText = new Map(Object.entries(bought).map(([name, value]) => [name, String(value)]));
  const signed = { ...bought, signature: signatureOf(asText, about.secret) };
  expect(await post({ ...signed, revenue: 199 })).toBe(401);
  expect(await post({ ...signed, more: 1 })).toBe(401);
  for (const more of [[1], { one: 1 }, null]) expect(await post({ ...signed, more })).toBe(400);
  expect(await post(signed)).toBe(200);
});

test("a parameter that differs between the address and the body is refused by name", async () => {
  const post = (inAddress: object, payload: object) => sendBody(payload, { ...inAddress, secret: about.secret });
  const click_id = clickOf();
  const differs = { error: { event: "must be the same in the address and in the body" } };
  expect(await post({ click_id, event: "install" }, { event: "open" })).toEqual([400, differs]);
  // What is no text, number or boolean is refused before it is compared.
  const unfit = { error: { more: "must be one text, number or boolean" } };
  expect(await post({ click_id, more: "1" }, { more: { toString: 1 } })).toEqual([400, unfit]);
  expect(await post({ click_id, transaction_id: "7" }, { event: "install", transaction_id: 7 })).toEqual([
    200,
    { ok: 1 },
  ]);
});

test("a signature from a click's link is good for one install after this click, and for nothing else", async () => {
  const [click_id, other_click] = [clickOf(), clickOf()];
  const signature = clickIds.installSignature(click_id);
  const sent = async (some: Record<string, string>) =>
    (await send({ click_id, event: "install", signature, ...some }, { secret: "" }))[0];
  expect(await sent({ event: "purchase" })).toBe(401);
  expect(await sent({ transaction_id: "2" })).toBe(401);
  expect(await sent({ click_id: other_click })).toBe(401);
  expect(await sent({ click_id: "none", signature: "" })).toBe(401);
  expect([await sent({}), await sent({})]).toEqual([200, 409]);
  // At another advertiser's address it names no click.
  const foreign = clickOf({ campaignId: other.id });
  expect(await sent({ click_id: foreign, signature: clickIds.installSignature(foreign) })).toBe(404);
});

test("events may be named as attribution providers name theirs", async () => {
  const click_id = clickOf();
  for (const event of ["_install", "__START__", "af_purchase", "level:2"])
    expect((await send({ click_id, event }))[0]).toBe(200);
});

test("a conversion that cannot be kept is not acknowledged, and counts once when it is sent again", async () => {
  const before = await conversions();
  const click_id = clickOf();
  const { append } = statistics.events;
  statistics.events.append = async () => {
    throw new Problem("unavailable", "The disk is full", { retryAfterSeconds: 1 });
  };
  try {
    expect((await send({ click_id }))[0]).toBe(503);
  } finally {
    statistics.events.append = append;
  }
  expect((await send({ click_id }))[0]).toBe(200);
  expect((await send({ click_id }))[0]).toBe(409);
  expect(await conversions()).toBe(before + 1);
});

test("a process that ends between the two stores leaves one conversion when the postback comes again", async () => {
  const before = await conversions();
  const click_id = clickOf();
  await send({ click_id });
  await stores.pg.pool.query("UPDATE conversions SET is_stored = false WHERE ad = $1", [clickIds.open(click_id)?.ad]);
  expect((await send({ click_id }))[0]).toBe(200);
  expect(await conversions()).toBe(before + 1);
});

test("an equal postback at another process is refused only once the first one is stored for good", async () => {
  const before = await conversions();
  const click_id = clickOf();
  const click = clickIds.open(click_id);
  if (!click) throw new Error("it is a click id");
  // The other process has claimed the conversion, and ends before its row is durable.
  const here = await inTransaction(stores.pg.pool, async (other) => {
    const made = { click, event: "install", transactionId: "", isGoal: true, at: new Date(clock.now()) };
    expect(await claimConversion(other, made)).toHaveProperty("row");
    const reply = send({ click_id });
    await expect.poll(async () => (await stores.pg.pool.query(WAITS)).rowCount).toBe(1);
    return { reply };
  });
  expect((await here.reply)[0]).toBe(200);
  expect((await send({ click_id }))[0]).toBe(409);
  expect(await conversions()).toBe(before + 1);
});

test("the secret is the account's own and shown once, and a new one replaces it at once", async () => {
  expect((await at.get(other.id, `/campaign/${campaign.uuid}/measurement.json`)).status).toBe(404);
  const former = about.secret;
  about = { ...about, ...(await newSecret()) };
  expect(about.secret).not.toBe(former);
  const shown = await measurement();
  expect(JSON.stringify(shown)).not.toContain(about.secret);
  const account = await at.newAccount();
  expect((await measurement((await aCampaign(account)).uuid, account)).secret_since).toBeNull();
  expect((await send({ click_id: clickOf() }, { secret: former }))[0]).toBe(401);
  expect((await send({ click_id: clickOf() }))[0]).toBe(200);
  const stored = await stores.pg.pool.query<{ secret: Buffer }>("SELECT secret FROM postback_keys");
  for (const { secret } of stored.rows) expect(secret.includes(about.secret)).toBe(false);
});

test("a test postback is checked and shown, and never counted", async () => {
  const before = await conversions();
  const reply = await at.send(me.accountId, `/campaign/${campaign.uuid}/postback/test`, {});
  expect([reply.status, reply.body]).toEqual([200, { ok: 1 }]);
  expect((await measurement()).postbacks[0]).toMatchObject({ test: true, outcome: "accepted", event: "install" });
  expect(await conversions()).toBe(before);
});

test("guesses of a secret are slowed down, and nobody who has it", async () => {
  const replies = [];
  for (let nth = 0; nth < 130; nth++) replies.push((await send({ click_id: "x" }, { secret: "guess" }))[0]);
  expect(replies.at(-1)).toBe(429);
  expect((await send({ click_id: clickOf() }))[0]).toBe(200);
});
