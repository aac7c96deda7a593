import { AGREEMENT_VERSION, TEXTS } from "@millrace/contract";
import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { findUserByEmail } from "../people-store.ts";
import { PASSWORD, PUBLIC_URL, accountsServer, newOwner } from "../testing/accounts-server.ts";
import { mailsTo } from "../testing/mails-to.ts";
import { browserAt, from, ticketIn, ticketTo, urlOf } from "../testing/ticket-links.ts";

const pg = await testPostgres();
let nowMs = Date.now();
const { app, mails } = await accountsServer(pg.pool, { clock: { now: () => nowMs } });

let number = 0;
/** A new person with a new address for each test. */
function visitor() {
  const email = `new${++number}@example.com`;
  const ask = browserAt(app, `198.51.100.${number}`);
  const form = { email, name: "Ada", password: PASSWORD, passConfirm: PASSWORD, role: "NEW", agree: true };
  const signUp = (more: object = {}) => ask("POST", "/reg.json", { ...form, ...more });
  const open = async (count = 1) => ask("POST", urlOf(await ticketTo(mails, email, count)), {});
  return { email, ask, form, signUp, open };
}
const whoIs = async (reply: { cookies: { name: string; value: string }[] }) => {
  const cookie = reply.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  return (await app.inject({ url: "/session.json", headers: { cookie } })).json<Record<string, unknown>>();
};

test("a developer's account opens only with the mailed link, which signs its owner in", async () => {
  const { email, ask, signUp } = visitor();
  const reply = await signUp({ email: ` ${email.toUpperCase()} ` });
  expect([reply.statusCode, reply.json()]).toEqual([200, { sent_to: email }]);
  expect(reply.cookies.map(({ name }) => name)).toEqual(["millrace-signup"]);
  const url = urlOf(await ticketTo(mails, email));
  expect((await ask("GET", url)).json()).toEqual({ type: "sign_up", has_pass: true });
  expect(await findUserByEmail(pg.pool, email)).toBeUndefined();
  const early = await ask("POST", "/login.json", { email, password: PASSWORD });
  expect(early.statusCode).toBe(422);

  const opened = await ask("POST", url, {});
  expect([opened.statusCode, opened.json()]).toEqual([200, { type: "sign_up", redirect_to: "/apps" }]);
  expect(await whoIs(opened)).toMatchObject({
    email,
    name: "Ada",
    role: "owner",
    roles: { can_apps: true, can_campaign: false },
    current_role: "apps",
    globalConfig: { is_first_visit: true, show_agreement: 0 },
  });
  const { rows } = await pg.pool.query("SELECT agreed_version FROM users WHERE email = $1", [email]);
  expect(rows).toEqual([{ agreed_version: AGREEMENT_VERSION }]);
  expect((await ask("POST", "/login.json", { email, password: PASSWORD })).json()).toEqual({ redirect_to: "/apps" });
  const acts = await pg.pool.query(
    "SELECT action FROM audit_log JOIN users ON users.id = actor_user_id WHERE email = $1",
    [email],
  );
  expect(acts.rows).toEqual([{ action: "account_opened" }]);
});

test("an advertiser's account has the campaign side, and redirect_to accepts only our own paths", async () => {
  const advertiser = visitor();
  await advertiser.signUp({ role: "ADV", redirect_to: "//evil.test/" });
  const opened = await advertiser.open();
  expect(opened.json()).toEqual({ type: "sign_up", redirect_to: "/campaign" });
  expect(await whoIs(opened)).toMatchObject({ roles: { can_apps: false, can_campaign: true } });
  const wished = visitor();
  await wished.signUp({ role: "ADV", redirect_to: "/campaign/new?from=landing" });
  expect((await wished.open()).json()).toMatchObject({ redirect_to: "/campaign/new?from=landing" });
});

test("the newest link of two sign-ups in one browser counts, and an account opens once", async () => {
  const { email, ask, signUp, open } = visitor();
  await signUp({ name: "First" });
  const first = urlOf(await ticketTo(mails, email));
  await signUp({ name: "Second" });
  await ticketTo(mails, email, 2);
  expect((await ask("GET", first)).json()).toMatchObject({ error: "not_last" });
  expect((await ask("POST", first, {})).statusCode).toBe(409);
  const second = await open(2);
  expect((await ask("GET", first)).json()).toMatchObject({ error: "activated" });
  expect((await ask("POST", first, {})).statusCode).toBe(409);
  expect(await whoIs(second)).toMatchObject({ name: "Second" });
});

test("an e-mail with a login gets a mail that says so, without a link", async () => {
  const { email, ask, signUp } = visitor();
  const { userId } = await newOwner(pg.pool, email);
  const before = await pg.pool.query("SELECT * FROM users WHERE id = $1", [userId]);
  const reply = await signUp({ password: "another-one", passConfirm: "another-one" });
  expect([reply.statusCode, reply.json()]).toEqual([200, { sent_to: email }]);
  const [mail] = await mailsTo(mails, email, 1);
  expect(mail?.subject).toBe("You already have a login");
  expect(mail && ticketIn(mail)).toBeUndefined();
  expect(mail?.text).toContain(`${PUBLIC_URL}/password-recovery`);
  await expect
    .poll(async () => (await pg.pool.query("SELECT FROM tickets WHERE email = $1", [email])).rowCount)
    .toBe(0);
  expect((await pg.pool.query("SELECT * FROM users WHERE id = $1", [userId])).rows).toEqual(before.rows);
  expect((await ask("POST", "/login.json", { email, password: PASSWORD })).statusCode).toBe(200);
});

test("a sign-up link does not take over an e-mail that got a login in the meantime", async () => {
  const { email, signUp, open } = visitor();
  await signUp({ password: "another-one", passConfirm: "another-one" });
  await ticketTo(mails, email);
  await newOwner(pg.pool, email);
  const late = await open();
  expect([late.statusCode, late.cookies]).toEqual([409, []]);
  expect(late.json()).toEqual({ error: "This e-mail already has a login. Please log in" });
});

test("a sign-up can be completed within a day", async () => {
  const { signUp, ask, email } = visitor();
  await signUp();
  const url = urlOf(await ticketTo(mails, email));
  nowMs += 24 * 3_600_000 - 1000;
  expect((await ask("GET", url)).json()).toEqual({ type: "sign_up", has_pass: true });
  nowMs += 1000;
  expect((await ask("GET", url)).json()).toEqual({ type: "sign_up", has_pass: true, error: "expired" });
});

test("each field is checked with the product's texts, and unknown fields are refused", async () => {
  const { signUp, form, ask } = visitor();
  const wrong = async (more: object) => {
    const reply = await signUp(more);
    return [reply.statusCode, reply.json<{ error: object }>().error];
  };
  expect(await wrong({ email: "no address" })).toEqual([400, { email: TEXTS.invalidEmail }]);
  expect(await wrong({ name: "Ада" })).toEqual([400, { name: TEXTS.nameAlphabet }]);
  expect(await wrong({ name: "A" })).toEqual([400, { name: TEXTS.nameTooShort }]);
  expect(await wrong({ passConfirm: "something-else" })).toEqual([400, { passConfirm: TEXTS.passwordsDiffer }]);
  expect(await wrong({ password: undefined, passConfirm: undefined })).toEqual([400, { password: TEXTS.required }]);
  expect(await wrong({ agree: false })).toEqual([400, { agree: TEXTS.agree }]);
  expect(await wrong({ role: "owner" })).toEqual([400, { role: TEXTS.required }]);
  const unknown = "This field is not known";
  expect(await wrong({ can_apps: true, is_super: true })).toEqual([400, { can_apps: unknown, is_super: unknown }]);
  const proto = await app.inject({
    method: "POST",
    url: "/reg.json",
    headers: { "content-type": "application/json" },
    payload: JSON.stringify(form).replace("{", '{"__proto__":{"role":"admin"},'),
  });
  expect([proto.statusCode, proto.body]).toEqual([400, `{"error":{"__proto__":"${unknown}"}}`]);
  expect((await ask("GET", "/session.json")).statusCode).toBe(401);
});

test("a social sign-in begun in another browser completes nothing", async () => {
  const { email, signUp } = visitor();
  const reply = await signUp({ reqid: "a".repeat(43), password: undefined, passConfirm: undefined });
  expect([reply.statusCode, reply.json()]).toEqual([422, { error: TEXTS.socialSessionExpired }]);
  expect((await pg.pool.query("SELECT FROM tickets WHERE email = $1", [email])).rowCount).toBe(0);
});

test("a mailbox gets three such mails an hour, and an address can ask sixty times", async () => {
  const { email, form, ask } = visitor();
  const replies = [];
  for (let tries = 0; tries < 6; tries++) {
    const reply = await from(app, `192.0.2.${tries}`)("POST", "/reg.json", form);
    replies.push([reply.statusCode, reply.body]);
  }
  expect(replies).toEqual(Array.from({ length: 6 }, () => [200, JSON.stringify({ sent_to: email })]));
  expect((await pg.pool.query("SELECT FROM tickets WHERE email = $1", [email])).rowCount).toBe(3);
  const statuses = [];
  for (let tries = 0; tries < 61; tries++) {
    const many = { ...form, email: `many${tries}@example.com`, reqid: "of-nobody", password: undefined };
    statuses.push((await ask("POST", "/reg.json", { ...many, passConfirm: undefined })).statusCode);
  }
  expect(statuses).toEqual([...Array.from({ length: 60 }, () => 422), 429]);
});

test("neither the password nor the link is stored in the clear, and a completed sign-up leaves nothing behind", async () => {
  const { email, signUp, open } = visitor();
  await signUp({ password: "a-very-secret-one", passConfirm: "a-very-secret-one" });
  const ticket = await ticketTo(mails, email);
  const dump = async (table: string) => JSON.stringify((await pg.pool.query(`SELECT * FROM ${table}`)).rows);
  const kept = `${await dump("tickets")}${await dump("pgboss.job")}`;
  expect(kept).toContain("$argon2id$");
  for (const secret of ["a-very-secret-one", ticket.slice(37)]) expect(kept).not.toContain(secret);
  await open();
  const { rows } = await pg.pool.query("SELECT payload FROM tickets WHERE email = $1", [email]);
  expect(rows).toEqual([{ payload: {} }]);
});
