import { createHmac, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { newPerson, sessionOf, testPlatform } from "../../testing/test-platform.ts";

const OPERATOR = "help@operator.test";
const SECRET = "the secret of the chat";

const plain = await testPlatform(await testStores());
const mailing = await testPlatform(await testStores(), { OPERATOR_NAME: "Example Ads", OPERATOR_EMAIL: OPERATOR });
const chatting = await testPlatform(await testStores(), { INTERCOM_APP_ID: "abc123", INTERCOM_SECRET: SECRET });

type Platform = typeof plain;
const as = async ({ pool }: Platform, person: { userId: number; accountId: number }, adminId?: number) => ({
  cookie: await sessionOf(pool, person, adminId ?? null),
});
const write = async (platform: Platform, person: { userId: number; accountId: number }, message: string, by?: number) =>
  platform.ask(await as(platform, person, by), "POST", "/support.json", { message, page: "/apps?p=2" });

async function newAdmin(platform: Platform, email: string) {
  const admin = await newPerson(platform.pool, email, { role: "admin" });
  const desk = await as(platform, admin);
  const list = async (search = "") =>
    (await platform.ask(desk, "GET", `/admin/support.json?search=${encodeURIComponent(search)}`)).body[
      "messages"
    ] as Record<string, unknown>[];
  const answer = (uuid: unknown, reply: string) =>
    platform.ask(desk, "POST", `/admin/support/${String(uuid)}/answer`, { reply });
  return { ...admin, list, answer };
}

test("without settings a message is stored, answered in the admin area, and its answer is read by the writer", async () => {
  const user = await newPerson(plain.pool, "alone@example.com", { name: "Ada" });
  const asUser = await as(plain, user);
  expect((await plain.ask(asUser, "GET", "/support.json")).body).toEqual({ chat: null });
  expect((await write(plain, user, "  My app shows nothing  ")).status).toBe(200);
  const admin = await newAdmin(plain, "desk@example.com");
  const [open] = await admin.list("shows nothing");
  expect(open).toMatchObject({
    message: "My app shows nothing",
    page: "/apps?p=2",
    state: "open",
    writer: { uuid: user.uuid, name: "Ada", email: user.email, role: "owner" },
    visitor: null,
    has_mailbox: true,
    reply: null,
  });
  expect((await admin.answer(open?.["uuid"], "Please update the SDK")).status).toBe(200);
  expect(await admin.list("shows nothing")).toMatchObject([{ state: "answered", replied_by: "desk@example.com" }]);
  const { body } = await plain.ask(asUser, "GET", "/support/messages.json");
  expect(body["messages"]).toMatchObject([{ state: "answered", reply: "Please update the SDK" }]);
  await expect
    .poll(async () => (await plain.mailsTo(user.email)).map(({ subject }) => subject))
    .toEqual(["Support has answered your message"]);
  const [mail] = await plain.mailsTo(user.email);
  expect(mail?.text).toContain("Please update the SDK");
  expect(mail?.text).toContain("> My app shows nothing");
  const { rows } = await plain.pool.query(
    "SELECT action, subject, account_id FROM audit_log WHERE action = 'support_answered'",
  );
  expect(rows).toEqual([{ action: "support_answered", subject: open?.["uuid"], account_id: user.accountId }]);
});

test("a message is answered once; a second answer is refused, and an unknown message is not found", async () => {
  const user = await newPerson(plain.pool, "once@example.com");
  await write(plain, user, "Only one answer");
  const admin = await newAdmin(plain, "first@example.com");
  const other = await newAdmin(plain, "second@example.com");
  const [message] = await admin.list("Only one answer");
  const replies = await Promise.all([
    admin.answer(message?.["uuid"], "From the first"),
    other.answer(message?.["uuid"], "From the second"),
  ]);
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  // The faster one sends it again after a lost reply.
  const again = [admin.answer(message?.["uuid"], "From the first"), other.answer(message?.["uuid"], "From the second")];
  expect((await Promise.all(again)).map(({ status }) => status)).toEqual(replies.map(({ status }) => status));
  expect((await admin.answer("6f9619ff-8b86-4d01-b42d-00cf4fc964ff", "To nobody")).status).toBe(404);
  expect((await admin.answer(message?.["uuid"], "   ")).status).toBe(400);
});

test("a message that is sent again after a lost reply is stored and mailed once", async () => {
  const [user, other] = [
    await newPerson(mailing.pool, "again@example.com"),
    await newPerson(mailing.pool, "o@example.com"),
  ];
  const admin = await newAdmin(mailing, "again-desk@example.com");
  const key = randomUUID();
  const send = async (message: string, sent: string = key, by = user) =>
    mailing.ask(await as(mailing, by), "POST", `/support.json?key=${sent}`, { message, page: "/apps" });
  const [first, again] = await Promise.all([send("Sent twice"), send("Sent twice", key.toUpperCase())]);
  expect([first.status, again.body]).toEqual([200, first.body]);
  expect(await admin.list("Sent twice")).toHaveLength(1);
  expect(await operatorMailsWith("Sent twice")).toHaveLength(1);
  expect((await send("Another text")).status).toBe(409);
  expect((await send("Sent twice", key, other)).status).toBe(200);
  expect((await send("Sent twice", randomUUID())).status).toBe(200);
  expect(await admin.list("Sent twice")).toHaveLength(3);
});

test("users read only their own messages, and an impersonating admin reads none", async () => {
  const [ada, bob] = [await newPerson(plain.pool, "ada@example.com"), await newPerson(plain.pool, "bob@example.com")];
  const admin = await newAdmin(plain, "visitor@example.com");
  await write(plain, ada, "A secret of Ada");
  const own = async (who: Awaited<ReturnType<typeof as>>) =>
    (await plain.ask(who, "GET", "/support/messages.json")).body["messages"];
  expect(await own(await as(plain, ada))).toHaveLength(1);
  expect(await own(await as(plain, bob))).toEqual([]);
  expect(await own(await as(plain, ada, admin.userId))).toEqual([]);
});

test("unanswered messages come first, oldest on top, and the search finds people and text", async () => {
  const user = await newPerson(plain.pool, "sorted@example.com", { name: "Sorted" });
  for (const message of ["queue one", "queue two", "queue three"]) await write(plain, user, message);
  const admin = await newAdmin(plain, "sorter@example.com");
  const texts = async (search: string) => (await admin.list(search)).map(({ message }) => message);
  expect(await texts("queue")).toEqual(["queue one", "queue two", "queue three"]);
  await admin.answer((await admin.list("queue one"))[0]?.["uuid"], "Done");
  expect(await texts("QUEUE")).toEqual(["queue two", "queue three", "queue one"]);
  expect(await texts("sorted@example")).toHaveLength(3);
  expect(await texts("%")).toEqual([]);
});

test("a message is mailed to the operator with its writer, who gets the replies", async () => {
  const user = await newPerson(mailing.pool, "asks@example.com", { name: "Ada" });
  const sent = await write(mailing, user, "My app is empty.\nFrom: the operator\n<script>alert(1)</script>");
  expect(sent.body).toEqual({
    message: "Your message was sent to support. You will find the answer in your mail and on the support page",
  });
  const [mail] = await operatorMailsWith("My app is empty.");
  expect(mail).toMatchObject({ replyTo: user.email, subject: "Support: a message from Ada" });
  expect(mail?.text).toContain(`From: Ada <${user.email}>, owner, user ${user.uuid}`);
  expect(mail?.text).toContain("Page: /apps?p=2");
  expect(mail?.text).toContain("> From: the operator");
  expect(mail?.html).not.toContain("<script>");
});

test("a message by an impersonating admin says so, and the answer goes to the admin", async () => {
  const user = await newPerson(mailing.pool, "is-visited@example.com", { name: "Bob" });
  const admin = await newAdmin(mailing, "visits@example.com");
  const sent = await write(mailing, user, "Seen from inside", admin.userId);
  expect(sent.body).toEqual({ message: "Your message was sent to support. The answer will be mailed to you" });
  const [mail] = await operatorMailsWith("Seen from inside");
  expect(mail).toMatchObject({ replyTo: admin.email });
  expect(mail?.text).toContain(`Written by ${admin.email}, an admin switched in to the account.`);
  await admin.answer((await admin.list("Seen from inside"))[0]?.["uuid"], "Thank you");
  await expect.poll(async () => (await mailing.mailsTo(admin.email)).length).toBe(1);
  expect(await mailing.mailsTo(user.email)).toEqual([]);
});

test("a sub-user without a mailbox is answered only on the support page", async () => {
  const owner = await newPerson(mailing.pool, "has-guests@example.com");
  const guest = await newPerson(mailing.pool, "gst-12345678@users.millrace.invalid");
  await mailing.pool.query("UPDATE memberships SET role = 'GST', account_id = $2 WHERE user_id = $1", [
    guest.userId,
    owner.accountId,
  ]);
  const person = { userId: guest.userId, accountId: owner.accountId };
  await write(mailing, person, "From a guest");
  const [mail] = await operatorMailsWith("From a guest");
  expect(mail?.replyTo).toBeUndefined();
  expect(mail?.text).toContain("GST");
  const admin = await newAdmin(mailing, "guests-desk@example.com");
  const [message] = await admin.list("From a guest");
  expect(message).toMatchObject({ has_mailbox: false });
  await admin.answer(message?.["uuid"], "Read me here");
  const { body } = await mailing.ask(await as(mailing, person), "GET", "/support/messages.json");
  expect(body["messages"]).toMatchObject([{ reply: "Read me here" }]);
  expect(await mailing.mailsTo(guest.email)).toEqual([]);
});

test("a user can send five messages in ten minutes, and others are not affected", async () => {
  const [eager, calm] = [
    await newPerson(mailing.pool, "eager@example.com"),
    await newPerson(mailing.pool, "calm@example.com"),
  ];
  for (let nth = 0; nth < 5; nth++) expect((await write(mailing, eager, "Again")).status).toBe(200);
  const slowed = await write(mailing, eager, "Again");
  expect(slowed.status).toBe(429);
  expect(Number(slowed.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await write(mailing, calm, "Again")).status).toBe(200);
});

test("a user can have at most twenty unanswered messages", async () => {
  const user = await newPerson(plain.pool, "patient@example.com");
  await plain.pool.query(
    `INSERT INTO support_messages (user_id, account_id, message, page, created_at)
     SELECT $1, $2, 'Waiting', '/apps', now() FROM generate_series(1, 20)`,
    [user.userId, user.accountId],
  );
  expect((await write(plain, user, "One more")).status).toBe(422);
  await plain.pool.query(
    `UPDATE support_messages SET reply = 'Done', replied_at = now() WHERE id = (
       SELECT min(id) FROM support_messages WHERE user_id = $1)`,
    [user.userId],
  );
  expect((await write(plain, user, "One more")).status).toBe(200);
});

test("messages are deleted with the account, from the store and from stored mails to the operator", async () => {
  const user = await newPerson(mailing.pool, "leaves@example.com");
  await write(mailing, user, "Please forget me");
  await operatorMailsWith("Please forget me");
  const gone = await mailing.ask(await as(mailing, user), "POST", "/profile/delete_account", { email: user.email });
  expect(gone.status).toBe(200);
  const kept = await mailing.pool.query("SELECT FROM support_messages WHERE message = 'Please forget me'");
  expect(kept.rowCount).toBe(0);
  expect((await mailing.mailsTo(OPERATOR)).filter(({ text }) => text.includes("Please forget me"))).toEqual([]);
});

test("the chat is started with the user's details and a hash, and never for an impersonating admin", async () => {
  const user = await newPerson(chatting.pool, "chats@example.com", { name: "Ada" });
  const admin = await newPerson(chatting.pool, "admin@example.com", { role: "admin" });
  const { body } = await chatting.ask(await as(chatting, user), "GET", "/support.json");
  expect(body).toEqual({
    chat: {
      app_id: "abc123",
      user_id: user.uuid,
      user_hash: createHmac("sha256", SECRET).update(user.uuid).digest("hex"),
      name: "Ada",
      email: user.email,
      created_at: expect.any(Number),
    },
  });
  const visit = await as(chatting, user, admin.userId);
  expect((await chatting.ask(visit, "GET", "/support.json")).body).toEqual({ chat: null });
});

async function operatorMailsWith(text: string) {
  const found = async () => (await mailing.mailsTo(OPERATOR)).filter((mail) => mail.text.includes(text));
  await expect.poll(async () => (await found()).length).toBe(1);
  return found();
}
