import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { newPerson, sessionOf, testPlatform } from "../../testing/test-platform.ts";

const SECRETS = ["a-secret-that-is-long-enough-for-one", "an-older-secret-that-is-long-enough"];
const { pool, url, ask, mailsTo } = await testPlatform(await testStores(), {
  OPERATOR_NAME: "Example Ads",
  MILLRACE_SECRET: SECRETS.join(","),
});

const admin = await newPerson(pool, "desk@example.com", { role: "admin" });
const desk = { cookie: await sessionOf(pool, admin) };
const send = (some: Record<string, unknown> = {}) =>
  ask(desk, "POST", "/admin/news.json", {
    subject: "A new SDK",
    message: "It is smaller.\n\nAnd faster.",
    key: randomUUID(),
    ...some,
  });
const list = async (search = "") => (await ask(desk, "GET", `/admin/news.json?search=${search}`)).body;
/** Only the users of the test are subscribed. */
const onlyReaders = (...userIds: number[]) =>
  pool.query("UPDATE users SET is_subscribed = id = ANY($1), blocked_at = NULL", [userIds]);

async function newsMailTo(email: string, subject: string) {
  const found = async () => (await mailsTo(email)).filter((mail) => mail.subject === subject);
  await expect.poll(async () => (await found()).length).toBe(1);
  const [mail] = await found();
  if (!mail?.unsubscribeUrl) throw new Error("The mail has no link to unsubscribe");
  return { ...mail, path: new URL(mail.unsubscribeUrl).pathname };
}
const isSubscribed = async (userId: number) =>
  (await pool.query<{ is: boolean }>('SELECT is_subscribed AS "is" FROM users WHERE id = $1', [userId])).rows[0]?.is;

test("news goes only to subscribers, with an unsubscribe link, and the admin list counts them", async () => {
  const [reader, other, blocked, guest] = [
    await newPerson(pool, "reads@example.com"),
    await newPerson(pool, "does-not-read@example.com"),
    await newPerson(pool, "is-blocked@example.com"),
    await newPerson(pool, "gst-1@users.millrace.invalid"),
  ];
  await onlyReaders(reader.userId, blocked.userId, guest.userId);
  await pool.query("UPDATE users SET blocked_at = now() WHERE id = $1", [blocked.userId]);
  expect(await list()).toMatchObject({ news: [], subscribers: 1 });
  const key = randomUUID();
  expect((await send({ subject: "First <news>", key })).body).toEqual({ people: 1 });
  const mail = await newsMailTo(reader.email, "First <news>");
  expect(mail.text).toContain("It is smaller.\n\nAnd faster.");
  expect(mail.text).toContain("because you are subscribed to its news.");
  expect(mail.text).toContain(`Unsubscribe: ${mail.unsubscribeUrl ?? ""}`);
  expect(mail.html).toContain("First &lt;news&gt;");
  for (const person of [other, blocked, guest]) expect(await mailsTo(person.email)).toEqual([]);
  const counts = { people: 1, sent: 1, waiting: 0, failed: 0, refused: 0, left_out: 0, unknown: 0 };
  await expect
    .poll(() => list("first"))
    .toMatchObject({ news: [{ uuid: key, subject: "First <news>", sent_by: admin.email, counts }] });
  const { rows } = await pool.query("SELECT actor_user_id, details FROM audit_log WHERE subject = $1", [key]);
  expect(rows).toEqual([{ actor_user_id: admin.userId, details: { people: 1 } }]);
});

test("the same news submitted twice is sent once", async () => {
  const reader = await newPerson(pool, "once@example.com");
  await onlyReaders(reader.userId);
  const same = { subject: "Sent twice", key: randomUUID() };
  const replies = await Promise.all([send(same), send(same)]);
  expect(replies.map(({ status, body }) => [status, body])).toEqual([
    [200, { people: 1 }],
    [200, { people: 1 }],
  ]);
  await newsMailTo(reader.email, "Sent twice");
  expect((await list("twice"))["news"]).toHaveLength(1);
});

test("news without subscribers or text, too long, or with a two-line subject is refused and not stored", async () => {
  await onlyReaders();
  expect(await send({ subject: "Nobody" })).toMatchObject({
    status: 422,
    body: { error: "Nobody is subscribed to news" },
  });
  for (const wrong of [
    { subject: "  " },
    { message: "" },
    { subject: "a".repeat(151) },
    { message: "a".repeat(10_001) },
    { subject: "Two\nBcc: everybody@example.com" },
  ])
    expect([wrong, (await send(wrong)).status]).toEqual([wrong, 400]);
  expect((await list("nobody"))["news"]).toEqual([]);
});

test("a one-click unsubscribe works without a sign-in; opening the link changes nothing", async () => {
  const reader = await newPerson(pool, "leaves-news@example.com");
  await onlyReaders(reader.userId);
  await send({ subject: "With a way out" });
  const { path } = await newsMailTo(reader.email, "With a way out");
  await fetch(url + path, { headers: { accept: "text/html" } });
  await fetch(url + path, { method: "HEAD" });
  expect(await isSubscribed(reader.userId)).toBe(true);
  // RFC 8058, 3.2: urlencoded or multipart, without cookies.
  const oneClick = () =>
    fetch(url + path, { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) });
  expect((await oneClick()).status).toBe(200);
  expect(await isSubscribed(reader.userId)).toBe(false);
  expect((await oneClick()).status).toBe(200);
  const form = new FormData();
  form.set("List-Unsubscribe", "One-Click");
  expect((await fetch(url + path, { method: "POST", body: form })).status).toBe(200);
  expect((await ask({}, "POST", path)).status).toBe(200);
  const acts = await pool.query("SELECT actor_user_id FROM audit_log WHERE action = 'unsubscribed' AND subject = $1", [
    reader.uuid,
  ]);
  expect(acts.rows).toEqual([{ actor_user_id: reader.userId }]);
});

test("a link with a wrong signature, or for another user, unsubscribes no one", async () => {
  const [reader, other] = [await newPerson(pool, "stays@example.com"), await newPerson(pool, "stays-too@example.com")];
  await onlyReaders(reader.userId, other.userId);
  await send({ subject: "Signed" });
  const { path } = await newsMailTo(reader.email, "Signed");
  const signature = path.split(".")[1] ?? "";
  for (const link of [`${other.uuid}.${signature}`, `${reader.uuid}.${"0".repeat(43)}`, reader.uuid, "x"])
    expect([link, (await ask({}, "POST", `/unsubscribe/${link}`)).status]).toEqual([link, 404]);
  expect([await isSubscribed(reader.userId), await isSubscribed(other.userId)]).toEqual([true, true]);
});

test("a deleted recipient leaves neither address nor name behind and is still counted", async () => {
  const reader = await newPerson(pool, "forgotten@example.com");
  await onlyReaders(reader.userId);
  const key = randomUUID();
  await send({ subject: "Before the deletion", key });
  const { path } = await newsMailTo(reader.email, "Before the deletion");
  const counts = async () => (await list("deletion"))["news"];
  await expect.poll(counts).toMatchObject([{ counts: { people: 1, sent: 1 } }]);
  const cookie = await sessionOf(pool, reader);
  expect((await ask({ cookie }, "POST", "/profile/delete_account", { email: reader.email })).status).toBe(200);
  const kept = await pool.query(
    "SELECT m.user_id FROM news_mails m JOIN news n ON n.id = m.news_id WHERE n.uuid = $1",
    [key],
  );
  expect(kept.rows).toEqual([{ user_id: null }]);
  expect(await counts()).toMatchObject([{ counts: { people: 1, sent: 1 } }]);
  await expect.poll(() => mailsTo(reader.email)).toEqual([]);
  expect((await ask({}, "POST", path)).status).toBe(200);
});
