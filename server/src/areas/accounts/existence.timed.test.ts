import { expect, test } from "vitest";
import { testPostgres } from "../../platform/testing/stores.ts";
import { PASSWORD, accountsServer, newOwner } from "./testing/accounts-server.ts";
import { giveAuthenticator } from "./testing/give-authenticator.ts";
import { from } from "./testing/ticket-links.ts";

// The public auth forms must not reveal whether an e-mail has a login, neither by their replies nor by their timing.

const pg = await testPostgres();
const { app } = await accountsServer(pg.pool);
const PAIRS = 60;
/**
 * The allowed median factor between the two requests of a pair. A busy machine slows both alike; a missing argon2 run
 * is a factor of three to ten.
 */
const LIKE = 2;

let number = 0;
/** E-mails of one length, so that replies containing them have one length too. */
const nextEmail = () => `someone${String(++number).padStart(5, "0")}@example.com`;
async function known(): Promise<{ email: string; userId: number }> {
  const email = nextEmail();
  const { userId } = await newOwner(pg.pool, email, { canCampaign: false });
  return { email, userId };
}

const AUTH_FORMS: Record<string, { url: string; bodyOf(email: string): object }> = {
  login: { url: "/login.json", bodyOf: (email) => ({ email, password: "wrong-horse" }) },
  recovery: { url: "/remind.json", bodyOf: (email) => ({ email }) },
  "sign-up": {
    url: "/reg.json",
    bodyOf: (email) => ({
      email,
      name: "Ada",
      password: PASSWORD,
      passConfirm: PASSWORD,
      role: "NEW",
      agree: true,
    }),
  },
};
let address = 0;
/** Each request has its own address, because rate limits are not measured here. */
async function submit(form: string, email: string) {
  const { url, bodyOf } = AUTH_FORMS[form] ?? { url: "", bodyOf: () => ({}) };
  address++;
  const ask = from(app, `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}`);
  const startedAt = performance.now();
  const reply = await ask("POST", url, bodyOf(email));
  return { ms: performance.now() - startedAt, reply };
}
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
/** Twice as long and half as long are both a factor of two. */
const factor = (ratio: number) => Math.max(ratio, 1 / ratio);

/** The whole reply except the e-mail, the date and the random bits of a new cookie. */
function said(email: string, { reply }: Awaited<ReturnType<typeof submit>>): string {
  const { date: _date, ...headers } = reply.headers;
  const bytes = JSON.stringify([reply.statusCode, reply.body.replaceAll(email, "<e-mail>"), Object.entries(headers)]);
  return bytes.replace(/millrace-signup=[\w-]{43};/, "millrace-signup=<random>;");
}

test.each(Object.keys(AUTH_FORMS))("%s replies identically for every e-mail", async (form) => {
  const blocked = await known();
  await pg.pool.query("UPDATE users SET blocked_at = now() WHERE id = $1", [blocked.userId]);
  const social = await known();
  await pg.pool.query("UPDATE users SET password_hash = NULL WHERE id = $1", [social.userId]);
  const guarded = await known();
  await giveAuthenticator(pg.pool, guarded.userId);
  const emails = [nextEmail(), (await known()).email, blocked.email, social.email, guarded.email, nextEmail()];
  const replies = [];
  for (const email of emails) replies.push(said(email, await submit(form, email)));
  expect(new Set(replies).size).toBe(1);
  expect(replies[0]).toMatch(form === "login" ? /^\[422,/ : /^\[200,.*<e-mail>/);
});

test.each(Object.keys(AUTH_FORMS))("%s takes the same time for every e-mail", async (form) => {
  for (let warming = 0; warming < 5; warming++) await submit(form, nextEmail());
  const ratios = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const { email } = await known();
    // In alternating order, so that work left over from one request slows both kinds alike.
    if (pair % 2 === 0) {
      const { ms } = await submit(form, email);
      ratios.push(ms / (await submit(form, nextEmail())).ms);
    } else {
      const { ms } = await submit(form, nextEmail());
      ratios.push((await submit(form, email)).ms / ms);
    }
  }
  expect(factor(median(ratios))).toBeLessThan(LIKE);
});

test("the measurement would detect a password that is not hashed", async () => {
  const ratios = [];
  for (let pair = 0; pair < 15; pair++) {
    const { ms } = await submit("login", nextEmail());
    ratios.push(ms / (await submit("recovery", nextEmail())).ms);
  }
  expect(factor(median(ratios))).toBeGreaterThan(LIKE);
});
