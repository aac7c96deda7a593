import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { newPerson, sessionOf, testPlatform } from "../../testing/test-platform.ts";

const OPERATOR = "help@operator.test";
const SECRET = "the secret of the chat";

const { pool, ...plain } = await testPlatform(await testStores());
const mailing = await testPlatform(await testStores(), {
  OPERATOR_NAME: "Example Ads",
  OPERATOR_EMAIL: OPERATOR,
  OPERATOR_ADDRESS: "1 Example Street",
  GOOGLE_CLIENT_ID: "id",
  GOOGLE_CLIENT_SECRET: "secret",
});
const chatting = await testPlatform(await testStores(), { INTERCOM_APP_ID: "abc123", INTERCOM_SECRET: SECRET });

test("pages are told who operates the platform and which networks have their settings", async () => {
  expect((await plain.ask({}, "GET", "/site.json")).body).toEqual({
    operator: { name: "The operator of this platform", email: null, address: null },
    social: [],
    demo: false,
    mailbox: null,
  });
  expect((await mailing.ask({}, "GET", "/site.json")).body).toMatchObject({
    operator: { name: "Example Ads", email: OPERATOR, address: "1 Example Street" },
    social: ["google"],
  });
});

test("without settings there is neither chat nor mail", async () => {
  const as = { cookie: await sessionOf(pool, await newPerson(pool, "alone@example.com")) };
  expect((await plain.ask(as, "GET", "/support.json")).body).toEqual({ chat: null, mail: false });
  expect((await plain.ask(as, "POST", "/support.json", { message: "Hello?", page: "/apps" })).status).toBe(422);
});

test("the chat is started with the user's details, proven by a hash, and never for an admin who visits", async () => {
  const user = await newPerson(chatting.pool, "chats@example.com", { name: "Ada" });
  const admin = await newPerson(chatting.pool, "admin@example.com", { role: "admin" });
  const { body } = await chatting.ask({ cookie: await sessionOf(chatting.pool, user) }, "GET", "/support.json");
  expect(body).toEqual({
    chat: {
      app_id: "abc123",
      user_id: user.uuid,
      user_hash: createHmac("sha256", SECRET).update(user.uuid).digest("hex"),
      name: "Ada",
      email: user.email,
      created_at: expect.any(Number),
    },
    mail: false,
  });
  const visit = { cookie: await sessionOf(chatting.pool, user, admin.userId) };
  expect((await chatting.ask(visit, "GET", "/support.json")).body).toEqual({ chat: null, mail: false });
});

test("a message is mailed to the operator with who wrote it, and answers go to them", async () => {
  const user = await newPerson(mailing.pool, "asks@example.com", { name: "Ada" });
  const as = { cookie: await sessionOf(mailing.pool, user) };
  const message = "My app shows nothing.\nFrom: the operator\n<script>alert(1)</script>";
  const sent = await mailing.ask(as, "POST", "/support.json", { message, page: "/apps?p=2" });
  expect([sent.status, sent.body]).toEqual([200, { message: "Your message was sent to support" }]);
  const [mail] = await mailsWith("My app shows nothing.");
  expect(mail).toMatchObject({ replyTo: user.email, subject: "Support: a message from Ada" });
  expect(mail?.text).toContain(`From: Ada <${user.email}>, owner, user ${user.uuid}`);
  expect(mail?.text).toContain("Page: /apps?p=2");
  expect(mail?.text).toContain("> From: the operator");
  expect(mail?.html).not.toContain("<script>");
});

test("an admin's message from a visit says so, and answers go to the admin", async () => {
  const user = await newPerson(mailing.pool, "is-visited@example.com", { name: "Bob" });
  const admin = await newPerson(mailing.pool, "visits@example.com", { role: "admin" });
  const visit = { cookie: await sessionOf(mailing.pool, user, admin.userId) };
  await mailing.ask(visit, "POST", "/support.json", { message: "Seen from inside", page: "/apps" });
  const [mail] = await mailsWith("Seen from inside");
  expect(mail).toMatchObject({ replyTo: admin.email });
  expect(mail?.text).toContain(`Written by ${admin.email}, an admin who visits the account.`);
});

test("nobody gets an answer at an address that nobody has", async () => {
  const owner = await newPerson(mailing.pool, "has-guests@example.com");
  const guest = await newPerson(mailing.pool, "gst-12345678@users.millrace.invalid");
  await mailing.pool.query("UPDATE memberships SET role = 'GST', account_id = $2 WHERE user_id = $1", [
    guest.userId,
    owner.accountId,
  ]);
  const as = { cookie: await sessionOf(mailing.pool, { userId: guest.userId, accountId: owner.accountId }) };
  await mailing.ask(as, "POST", "/support.json", { message: "From a guest", page: "/apps" });
  const [mail] = await mailsWith("From a guest");
  expect(mail?.replyTo).toBeUndefined();
  expect(mail?.text).toContain("GST");
});

test("five messages in ten minutes, then a while to wait; others are not held up", async () => {
  const [eager, calm] = [
    await newPerson(mailing.pool, "eager@example.com"),
    await newPerson(mailing.pool, "calm@example.com"),
  ];
  const write = async (person: { userId: number; accountId: number }) => {
    const as = { cookie: await sessionOf(mailing.pool, person) };
    return mailing.ask(as, "POST", "/support.json", { message: "Again", page: "/apps" });
  };
  for (let nth = 0; nth < 5; nth++) expect((await write(eager)).status).toBe(200);
  const slowed = await write(eager);
  expect(slowed.status).toBe(429);
  expect(Number(slowed.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await write(calm)).status).toBe(200);
});

async function mailsWith(text: string) {
  const found = async () => (await mailing.mailsTo(OPERATOR)).filter((mail) => mail.text.includes(text));
  await expect.poll(async () => (await found()).length, { timeout: 8000 }).toBe(1);
  return found();
}
