import { createHash, randomBytes } from "node:crypto";
import { type Session, TEXTS, TICKET_ERRORS } from "@millrace/contract";
import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { findUserByEmail } from "../people-store.ts";
import { accountsServer, newOwner } from "../testing/accounts-server.ts";
import { browserAt, from, passes, ticketTo } from "../testing/ticket-links.ts";

// Anyone can sign up with another person's e-mail. The owner of the mailbox decides what happens.

const pg = await testPostgres();
const { app, mails } = await accountsServer(pg.pool);

const COOKIE = "millrace-signup";
let number = 0;
const nextEmail = () => `whose${++number}@example.com`;
function browser() {
  const cookies = new Map<string, string>();
  const ask = browserAt(app, `10.2.${number}.${1 + (browsers++ % 250)}`, cookies);
  const signUp = (email: string, password: string, more: object = {}) =>
    ask("POST", "/reg.json", {
      email,
      name: "Ada",
      password,
      passConfirm: password,
      role: "NEW",
      agree: true,
      ...more,
    });
  return { ask, signUp, cookies, open: (url: string, pass?: string) => ask("POST", url, pass ? passes(pass) : {}) };
}
let browsers = 0;
const linkTo = async (email: string, count = 1) => `/ticket/${await ticketTo(mails, email, count)}.json`;
const signInStatus = async (email: string, password: string) =>
  (await from(app, `10.3.0.${++browsers % 250}`)("POST", "/login.json", { email, password })).statusCode;
const hashOf = (token: string | undefined) =>
  createHash("sha256")
    .update(token ?? "")
    .digest("hex");

test("a sign-up with another person's e-mail does not set its password: the owner of the mailbox does", async () => {
  const email = nextEmail();
  const [stranger, owner] = [browser(), browser()];
  await stranger.signUp(email, "strangers-choice");
  const url = await linkTo(email);
  expect((await owner.ask("GET", url)).json()).toEqual({ type: "sign_up", has_pass: false });
  for (const [given, error] of [
    [{}, { pass: TEXTS.required }],
    [passes("short"), { pass: TEXTS.passwordTooShort }],
    [{ pass: "owners-choice" }, { pass_confirm: TEXTS.passwordsDiffer }],
  ] as const) {
    const refused = await owner.ask("POST", url, given);
    expect([refused.statusCode, refused.json(), refused.cookies]).toEqual([400, { error }, []]);
  }
  expect(await findUserByEmail(pg.pool, email)).toBeUndefined();

  expect((await owner.open(url, "owners-choice")).statusCode).toBe(200);
  expect(await signInStatus(email, "strangers-choice")).toBe(422);
  expect(await signInStatus(email, "owners-choice")).toBe(200);
  expect((await stranger.ask("GET", "/session.json")).statusCode).toBe(401);
  // A stranger accepted the terms, so the mailbox's owner is asked again.
  const session = (await owner.ask("GET", "/session.json")).json<Session>();
  expect(session).toMatchObject({ email, globalConfig: { show_agreement: 1 } });
});

test("the browser that signed up needs no second password, and its cookie is removed afterwards", async () => {
  const email = nextEmail();
  const own = browser();
  const reply = await own.signUp(email, "chosen-at-once");
  const [cookie] = reply.cookies;
  expect(cookie).toMatchObject({ name: COOKIE, path: "/", httpOnly: true, sameSite: "Lax", maxAge: 86_400 });
  const token = own.cookies.get(COOKIE) ?? "";
  const kept = await pg.pool.query<{ payload: object }>("SELECT payload FROM tickets WHERE email = $1", [email]);
  expect(kept.rows[0]?.payload).toMatchObject({ bindingHash: hashOf(token) });
  expect(JSON.stringify(kept.rows)).not.toContain(token);

  const url = await linkTo(email);
  expect((await own.ask("GET", url)).json()).toEqual({ type: "sign_up", has_pass: true });
  expect((await own.open(url)).statusCode).toBe(200);
  expect([...own.cookies.keys()]).toEqual(["millrace", "millrace-device"]);
  expect(await signInStatus(email, "chosen-at-once")).toBe(200);
});

test("over HTTPS the cookie has the __Host- prefix, even if the e-mail has a login", async () => {
  const taken = nextEmail();
  await newOwner(pg.pool, taken);
  for (const email of [nextEmail(), taken]) {
    const ask = from(app, "10.4.0.1", { "x-forwarded-proto": "https" });
    const form = { email, name: "Ada", password: "a-password", passConfirm: "a-password", role: "NEW", agree: true };
    const [cookie] = (await ask("POST", "/reg.json", form)).cookies;
    expect(cookie).toMatchObject({
      name: `__Host-${COOKIE}`,
      path: "/",
      httpOnly: true,
      secure: true,
      sameSite: "Lax",
    });
    expect(cookie).not.toHaveProperty("domain");
    expect(cookie?.value).toMatch(/^[\w-]{43}$/);
  }
});

test("another browser's cookie, a forged one and the stored hash are refused", async () => {
  const email = nextEmail();
  const [stranger, other] = [browser(), browser()];
  await stranger.signUp(email, "strangers-choice");
  await other.signUp(nextEmail(), "of-another-one");
  const token = stranger.cookies.get(COOKIE);
  const url = await linkTo(email);
  for (const held of [
    other.cookies.get(COOKIE),
    randomBytes(32).toString("base64url"),
    hashOf(token),
    "",
    `${token}a`,
  ]) {
    const ask = from(app, "10.4.0.2", { cookie: `${COOKIE}=${held}` });
    expect((await ask("GET", url)).json()).toEqual({ type: "sign_up", has_pass: false });
    expect((await ask("POST", url, {})).statusCode).toBe(400);
  }
  expect(await findUserByEmail(pg.pool, email)).toBeUndefined();
});

test("a stranger's newer sign-up does not void the owner's link; opening the owner's link ends the stranger's", async () => {
  const email = nextEmail();
  const [owner, stranger] = [browser(), browser()];
  await owner.signUp(email, "owners-choice", { name: "Owner" });
  const mine = await linkTo(email);
  await stranger.signUp(email, "strangers-choice", { name: "Stranger" });
  const theirs = await linkTo(email, 2);
  expect((await owner.ask("GET", mine)).json()).toEqual({ type: "sign_up", has_pass: true });
  expect((await owner.ask("GET", theirs)).json()).toEqual({ type: "sign_up", has_pass: false });
  expect((await owner.open(mine)).statusCode).toBe(200);
  expect((await owner.ask("GET", theirs)).json()).toMatchObject({ error: "activated" });
  const late = await stranger.open(theirs, "another-choice");
  expect([late.statusCode, late.json(), late.cookies]).toEqual([409, { error: TICKET_ERRORS.activated }, []]);
  expect((await findUserByEmail(pg.pool, email))?.name).toBe("Owner");
  expect(await signInStatus(email, "owners-choice")).toBe(200);
  const left = await pg.pool.query("SELECT payload FROM tickets WHERE email = $1", [email]);
  expect(left.rows).toEqual([{ payload: {} }, { payload: {} }]);
});

test("opening the stranger's link with one's own password ends one's own sign-up", async () => {
  const email = nextEmail();
  const [owner, stranger] = [browser(), browser()];
  await stranger.signUp(email, "strangers-choice");
  const theirs = await linkTo(email);
  await owner.signUp(email, "owners-choice");
  const mine = await linkTo(email, 2);
  expect((await owner.open(theirs, "a-third-choice")).statusCode).toBe(200);
  expect((await owner.open(mine)).statusCode).toBe(409);
  expect(await signInStatus(email, "strangers-choice")).toBe(422);
  expect(await signInStatus(email, "a-third-choice")).toBe(200);
});

test("links of several browsers opened at once open one account without errors", async () => {
  const email = nextEmail();
  const opened: (() => ReturnType<ReturnType<typeof browser>["open"]>)[] = [];
  for (let nth = 0; nth < 3; nth++) {
    const one = browser();
    await one.signUp(email, `choice-number-${nth}`);
    const url = await linkTo(email, nth + 1);
    for (let times = 0; times < 4; times++) opened.push(() => one.open(url, `password-${nth * 4 + times}`));
  }
  const replies = await Promise.all(opened.map((open) => open()));
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  expect(replies.filter(({ statusCode }) => statusCode === 409)).toHaveLength(11);
  const winner = replies.findIndex((reply) => reply.statusCode === 200);
  expect(await signInStatus(email, `password-${winner}`)).toBe(200);
});
