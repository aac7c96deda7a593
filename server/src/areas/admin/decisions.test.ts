import { randomUUID } from "node:crypto";
import { NBR } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { type As, newPerson, sessionOf, testPlatform } from "../../testing/test-platform.ts";
import { createApp } from "../apps/index.ts";
import { upsertPartner } from "../demand-partners/index.ts";
import { somePartner } from "../../testing/some-partner.ts";

const stores = await testStores();
const { pool, ask, mailsTo } = await testPlatform(stores, {
  OPERATOR_NAME: "Example Ads",
  PUBLIC_URL: "https://millrace.example",
});
const admin = await newPerson(pool, "admin@example.com", { role: "admin" });
const asAdmin: As = { cookie: await sessionOf(pool, admin) };

async function rowsOf<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
  return (await pool.query<T>(sql, values)).rows;
}
async function mailTo(address: string, subject: string) {
  await expect.poll(async () => (await mailsTo(address)).map((mail) => mail.subject)).toContain(subject);
  return (await mailsTo(address)).filter((mail) => mail.subject === subject);
}

test("a refill is booked once for its key, repeated with the same reply, and mailed to the owner once", async () => {
  const owner = await newPerson(pool, "advertiser@example.com", { canApps: false });
  const path = `/admin/users/${owner.uuid}/refill`;
  const refill = { amount: 25_000_000, reason: "Invoice 7", key: randomUUID() };
  const replies = await Promise.all(Array.from({ length: 10 }, () => ask(asAdmin, "POST", path, refill)));
  for (const { status, body } of replies) expect([status, body]).toEqual([200, { campaign_balance: 25_000_000 }]);

  const more = { amount: 10_000, reason: "Rest", key: randomUUID() };
  expect((await ask(asAdmin, "POST", path, more)).body).toEqual({ campaign_balance: 25_010_000 });
  // Repeated later, the first request still gets its own reply.
  expect((await ask(asAdmin, "POST", path, refill)).body).toEqual({ campaign_balance: 25_000_000 });

  const lines = await rowsOf(
    `SELECT l.book, l.account_id, l.amount_micros, p.kind, p.reason, p.actor_user_id FROM ledger_lines l
     JOIN ledger_postings p ON p.id = l.posting_id WHERE p.reference = $1 ORDER BY l.line`,
    [`refill ${refill.key}`],
  );
  const posting = { kind: "refill", reason: "Invoice 7", actor_user_id: admin.userId };
  expect(lines).toEqual([
    { book: "cash", account_id: null, amount_micros: "25000000", ...posting },
    { book: "campaign_balance", account_id: owner.accountId, amount_micros: "-25000000", ...posting },
  ]);
  expect(await rowsOf("SELECT count(*)::int AS n FROM audit_log WHERE action = 'balance_refilled'")).toEqual([
    { n: 2 },
  ]);
  const asOwner = { cookie: await sessionOf(pool, owner) };
  expect((await ask(asOwner, "GET", "/session.json")).body["campaign_balance"]).toBe(25_010_000);
  const { body } = await ask(asAdmin, "GET", `/admin/users.json?search=${owner.uuid}`);
  expect(body["users"]).toEqual([expect.objectContaining({ campaign_balance: 25_010_000 })]);

  await expect.poll(async () => (await mailsTo(owner.email)).length).toBe(2);
  const mail = (await mailTo(owner.email, "Your campaign balance was refilled")).find(({ text }) =>
    text.includes("$25.00 has been added"),
  );
  expect(mail?.text).toContain("Reason: Invoice 7");
  expect(mail?.text).toContain("Example Ads runs Millrace at millrace.example");
  expect(mail?.text).toContain("https://millrace.example/payment/balance");
});

test("keys are case-insensitive", async () => {
  const owner = await newPerson(pool, "capitals@example.com");
  const path = `/admin/users/${owner.uuid}/refill`;
  const refill = { amount: 2_000_000, reason: "Once", key: randomUUID() };
  for (const key of [refill.key, refill.key.toUpperCase()]) {
    expect((await ask(asAdmin, "POST", path, { ...refill, key })).body).toEqual({ campaign_balance: 2_000_000 });
  }
});

test("an account that is being deleted gets no money", async () => {
  const owner = await newPerson(pool, "goes@example.com");
  const client = await pool.connect();
  await client.query("BEGIN");
  await client.query("UPDATE accounts SET deleted_at = now() WHERE id = $1", [owner.accountId]);
  const refilled = ask(asAdmin, "POST", `/admin/users/${owner.uuid}/refill`, {
    amount: 1_000_000,
    reason: "Late",
    key: randomUUID(),
  });
  const waiting = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1";
  await expect.poll(() => rowsOf(waiting, ["%FROM accounts%"])).toEqual([{ n: 1 }]);
  await client.query("COMMIT");
  client.release();
  expect((await refilled).status).toBe(404);
  expect(await rowsOf("SELECT FROM ledger_lines WHERE account_id = $1", [owner.accountId])).toEqual([]);
});

test("a key used for another amount, account or reason is refused and books nothing", async () => {
  const [one, other] = [await newPerson(pool, "one@example.com"), await newPerson(pool, "two@example.com")];
  const refill = { amount: 1_000_000, reason: "First", key: randomUUID() };
  const ask1 = (uuid: string, body: object) => ask(asAdmin, "POST", `/admin/users/${uuid}/refill`, body);
  expect((await ask1(one.uuid, refill)).status).toBe(200);
  for (const [uuid, body] of [
    [one.uuid, { ...refill, amount: 2_000_000 }],
    [other.uuid, refill],
    [one.uuid, { ...refill, reason: "Second" }],
  ] as const) {
    expect((await ask1(uuid, body)).status).toBe(409);
  }
  const balances = await rowsOf(
    `SELECT account_id, -sum(amount_micros)::int AS n FROM ledger_lines WHERE account_id = ANY($1) GROUP BY 1`,
    [[one.accountId, other.accountId]],
  );
  expect(balances).toEqual([{ account_id: one.accountId, n: 1_000_000 }]);
});

test.each([
  ["nothing", { amount: 0, reason: "x" }, 400],
  ["less than a cent", { amount: 9_999, reason: "x" }, 400],
  ["a million and a cent", { amount: 1_000_000_010_000, reason: "x" }, 400],
  ["part of a micro-dollar", { amount: 10_000.5, reason: "x" }, 400],
  ["without a reason", { amount: 10_000, reason: "" }, 400],
])("%s cannot be put on a balance", async (_what, body, status) => {
  const owner = await newPerson(pool, `${randomUUID()}@example.com`);
  const refused = await ask(asAdmin, "POST", `/admin/users/${owner.uuid}/refill`, { ...body, key: randomUUID() });
  expect(refused.status).toBe(status);
  expect(await rowsOf("SELECT FROM ledger_lines WHERE account_id = $1", [owner.accountId])).toEqual([]);
});

test("an account without campaigns and an unknown account get no money", async () => {
  const publisher = await newPerson(pool, "publisher@example.com", { canCampaign: false });
  const refill = { amount: 10_000, reason: "x", key: randomUUID() };
  expect((await ask(asAdmin, "POST", `/admin/users/${publisher.uuid}/refill`, refill)).status).toBe(422);
  expect((await ask(asAdmin, "POST", `/admin/users/${randomUUID()}/refill`, refill)).status).toBe(404);
});

/** Whether the place of a request is sold, as far as its moderation decides. */
async function sells(place: object): Promise<boolean> {
  const imp = [{ id: "1", banner: { w: 320, h: 50 } }];
  const device = { ip: "192.0.2.1", ua: "Mozilla/5.0" };
  const { body } = await ask({}, "POST", "/openrtb2/auction", { id: "a", imp, device, ...place });
  return body["nbr"] !== NBR.blockedPublisher;
}

test("an app stays in the queue until it is decided, and the exchange and its owner are notified", async () => {
  const owner = await newPerson(pool, "maker@example.com");
  const base = { bundleId: "com.example.waits", platform: "android", moderation: "check" } as const;
  const first = await createApp(pool, owner.accountId, { ...base, name: "Waits long" });
  const second = await createApp(pool, owner.accountId, { ...base, name: "Waits <b>short</b>" });
  await pool.query("UPDATE apps SET created_at = now() - interval '3 days' WHERE id = $1", [first.id]);
  const queue = async () => {
    const { body } = await ask(asAdmin, "GET", "/admin/moderation.json?search=com.example.waits");
    return (body["apps"] as { name: string }[]).map(({ name }) => name);
  };
  expect(await queue()).toEqual([first.name, second.name]);
  const decide = (uuid: string, body: object) => ask(asAdmin, "POST", `/admin/moderation/apps/${uuid}`, body);
  await upsertPartner(pool, somePartner({ id: "buyer", endpoint: "http://127.0.0.1:9/" }));
  const isSold = (uuid: string) => sells({ app: { id: uuid } });
  // The exchange may know the app before it knows the buyer.
  await expect.poll(() => isSold(first.uuid)).toBe(false);

  expect((await decide(first.uuid, { decision: "approve", reason: "Add a zone" })).status).toBe(200);
  expect((await decide(first.uuid, { decision: "approve" })).status).toBe(409);
  expect((await decide(second.uuid, { decision: "ban" })).body).toEqual({
    error: { reason: "This field is required" },
  });
  expect((await decide(second.uuid, { decision: "ban", reason: "Shows nothing" })).status).toBe(200);
  expect((await decide(randomUUID(), { decision: "approve" })).status).toBe(404);
  expect(await queue()).toEqual([]);

  // The row's change notification makes the exchange reload its configuration.
  await expect.poll(() => isSold(first.uuid)).toBe(true);
  expect(await isSold(second.uuid)).toBe(false);
  expect((await decide(first.uuid, { decision: "ban", reason: "Changed since" })).status).toBe(200);
  await expect.poll(() => isSold(first.uuid)).toBe(false);

  const acts = await rowsOf(
    "SELECT action, subject, account_id, details FROM audit_log WHERE subject = $1 ORDER BY id",
    [first.uuid],
  );
  expect(acts).toMatchObject([
    { action: "app_approved", account_id: owner.accountId, details: { before: "check", reason: "Add a zone" } },
    { action: "app_banned", account_id: owner.accountId, details: { before: "live", reason: "Changed since" } },
  ]);
  const [approved] = await mailTo(owner.email, "Waits long is approved");
  expect(approved?.text).toContain("Moderation is complete. Run the SDK.");
  expect(approved?.text).toContain("Note: Add a zone");
  expect(approved?.text).toContain(`https://millrace.example/apps/${first.uuid}/performance`);
  const [banned] = await mailTo(owner.email, "Waits <b>short</b> was banned");
  expect(banned?.text).toContain("Reason: Shows nothing");
  expect(banned?.html).not.toContain("<b>short");
});

test("an app that takes another bundle id sells nothing until it is approved with it", async () => {
  const owner = await newPerson(pool, "taker@example.com");
  const asOwner: As = { cookie: await sessionOf(pool, owner) };
  const base = { platform: "android", inDev: true } as const;
  const app = await createApp(pool, owner.accountId, { ...base, name: "Taker", bundleId: "com.example.taker" });
  const newer = { ...base, name: "Newer", bundleId: "com.example.newer", moderation: "check" } as const;
  await createApp(pool, owner.accountId, newer);
  await pool.query("UPDATE apps SET created_at = now() - interval '3 days' WHERE id = $1", [app.id]);
  await upsertPartner(pool, somePartner({ id: "buyer", endpoint: "http://127.0.0.1:9/" }));
  const isSold = () => sells({ site: { domain: "news.example" } });
  await expect.poll(() => sells({ app: { bundle: app.bundleId } })).toBe(true);

  const body = { uuid: app.uuid, app_name: "Taker", app_bundle_id: "news.example" };
  const renamed = await ask(asOwner, "POST", `/apps/${app.uuid}/tracking_url`, body);
  expect(renamed.body["message"]).toMatch(/a moderator checks the app again/);
  await expect.poll(() => sells({ app: { id: app.uuid } })).toBe(false);
  expect(await isSold()).toBe(false);
  // It waits since its change: the app that was added before that comes first.
  const { body: queue } = await ask(asAdmin, "GET", "/admin/moderation.json?search=taker@example.com");
  expect(queue["apps"]).toMatchObject([{ name: "Newer" }, { name: "Taker", bundle_id: "news.example" }]);

  await ask(asAdmin, "POST", `/admin/moderation/apps/${app.uuid}`, { decision: "approve" });
  await expect.poll(isSold).toBe(true);
});

test("an app is not decided if another admin has decided it, or its bundle id has changed, since it was listed", async () => {
  const owner = await newPerson(pool, "seen@example.com");
  const base = { bundleId: "com.example.seen", platform: "android", moderation: "check" } as const;
  const { uuid } = await createApp(pool, owner.accountId, { ...base, name: "Seen" });
  const decide = (body: object) => ask(asAdmin, "POST", `/admin/moderation/apps/${uuid}`, body);
  const seen = { moderation: "check", bundle_id: "com.example.seen" };
  await pool.query("UPDATE apps SET bundle_id = 'com.example.other' WHERE uuid = $1", [uuid]);
  expect(await decide({ decision: "approve", seen })).toMatchObject({
    status: 409,
    body: { error: "Its owner has changed the bundle ID of this app. Look at it again" },
  });
  const asWaiting = { ...seen, bundle_id: "com.example.other" };
  expect((await decide({ decision: "ban", reason: "Malware", seen: asWaiting })).status).toBe(200);
  expect(await decide({ decision: "approve", seen: asWaiting })).toMatchObject({
    status: 409,
    body: { error: "Another admin has decided on this app. Look at it again" },
  });
  const asBanned = { ...asWaiting, moderation: "banned" };
  expect((await decide({ decision: "approve", seen: asBanned })).status).toBe(200);
});

test("the log is searched by action, by the e-mails of both identities and by ids, and keeps the acts of deleted users", async () => {
  const owner = await newPerson(pool, "logged@example.com");
  const inside = await ask({ cookie: await sessionOf(pool, admin) }, "POST", `/admin/users/${owner.uuid}/switch`);
  await ask({ cookie: inside.cookie ?? "" }, "POST", "/return_to_admin");
  const search = async (text: string) => {
    const { body } = await ask(asAdmin, "GET", `/admin/audit.json?search=${encodeURIComponent(text)}`);
    return body["entries"] as { id: number; action: string; actor: string | null; as_user: string | null }[];
  };
  const [back, into] = await search(owner.uuid);
  expect([back, into]).toMatchObject([
    { action: "returned_to_admin", actor: admin.email, as_user: owner.email, account: "Somebody" },
    { action: "switched_in", actor: admin.email, as_user: null, subject: owner.uuid, address: "127.0.0.1" },
  ]);
  expect((await search("logged@EXAMPLE"))[0]?.id).toBe(back?.id);
  expect((await search("returned_to"))[0]?.id).toBe(back?.id);
  expect((await search(String(into?.id))).map(({ id }) => id)).toEqual([into?.id]);
  expect(await search("nothing like it")).toEqual([]);

  await pool.query("DELETE FROM users WHERE id = $1", [owner.userId]);
  expect((await search("returned_to"))[0]).toMatchObject({ id: back?.id, as_user: null, actor: admin.email });
});
