import { expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { PASSWORD, accountsServer, newOwner } from "../testing/accounts-server.ts";
import { giveAuthenticator } from "../testing/give-authenticator.ts";
import { mailsTo } from "../testing/mails-to.ts";
import { browserAt, from, passes, ticketTo, urlOf } from "../testing/ticket-links.ts";

const pg = await testPostgres();
let nowMs = Date.now();
const clock = { now: () => nowMs };
const { app, mails } = await accountsServer(pg.pool, { clock });
const WRONG = "000000";

/** An address in a new IP network each time. */
let subnet = 0;
const elsewhere = () => `2001:db8:${(++subnet).toString(16)}:7::1`;
const signIn = (address: string, body: object) => from(app, address)("POST", "/login.json", body);

async function newUser(email: string, recoveryCodes: string[] = []) {
  const { userId } = await newOwner(pg.pool, email);
  const authenticator = await giveAuthenticator(pg.pool, userId, recoveryCodes);
  // A code as the app shows it, but not a used one.
  let step = 0;
  const code = () => {
    nowMs += 60_000 * ++step;
    return authenticator.codeAt(nowMs);
  };
  return { email, userId, code };
}

/** Sends twenty requests at a time, and resolves when all are answered. */
async function guess(count: number, one: () => ReturnType<typeof signIn>): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let nth = 0; nth < count; nth += 20) {
    for (const { statusCode } of await Promise.all(Array.from({ length: 20 }, one))) statuses.add(statusCode);
  }
  return statuses;
}

test(
  "guesses with a known password do not lock the owner out: a familiar device, a recovery code and a mailed link still work",
  { timeout: 120_000 },
  async () => {
    const recovery = ["abcd-efgh-2345-6777"];
    const { email, code } = await newUser("known@example.com", recovery);
    const own = browserAt(app, "192.0.2.1");
    expect((await own("POST", "/login.json", { email, password: PASSWORD, otp_code: await code() })).statusCode).toBe(
      200,
    );
    const wrong = { email, password: PASSWORD, otp_code: WRONG };
    expect(await guess(60, () => signIn(elsewhere(), wrong))).toEqual(new Set([422, 429]));

    const right = { email, password: PASSWORD, otp_code: await code() };
    expect((await signIn(elsewhere(), right)).statusCode).toBe(429);
    expect((await own("POST", "/login.json", right)).statusCode).toBe(200);

    const lost = { email, password: PASSWORD, recovery_code: recovery[0] };
    expect((await signIn(elsewhere(), lost)).statusCode).toBe(200);

    await from(app, "192.0.2.9")("POST", "/remind.json", { email });
    const link = urlOf(await ticketTo(mails, email, 2));
    const reset = { ...passes("another-horse"), otp_code: await code() };
    expect((await from(app, elsewhere())("POST", link, reset)).statusCode).toBe(200);
  },
);

test("wrong codes at a mailed link count for that link only", async () => {
  const { email, code } = await newUser("link@example.com");
  await from(app, "192.0.2.10")("POST", "/remind.json", { email });
  const link = urlOf(await ticketTo(mails, email));
  const statuses = [];
  for (let nth = 0; nth < 6; nth++) {
    const reply = await from(app, elsewhere())("POST", link, { ...passes("another-horse"), otp_code: WRONG });
    statuses.push(reply.statusCode);
  }
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  const right = { email, password: PASSWORD, otp_code: await code() };
  expect((await signIn(elsewhere(), right)).statusCode).toBe(200);
});

test("a device's cookie opens no session and reveals nothing", async () => {
  const email = "device@example.com";
  await newOwner(pg.pool, email);
  const own = await signIn("192.0.2.3", { email, password: PASSWORD });
  const device = own.cookies.find(({ name }) => name === "millrace-device");
  expect(device).toMatchObject({ httpOnly: true, sameSite: "Lax", maxAge: 400 * 86_400 });
  const cookie = `millrace-device=${device?.value}`;
  expect((await app.inject({ url: "/session.json", headers: { cookie } })).statusCode).toBe(401);
  expect(JSON.stringify(device)).not.toContain(email);
});

test(
  "the owner gets at most one mail a day about guessed passwords and one about guessed codes",
  { timeout: 120_000 },
  async () => {
    const { email } = await newUser("told@example.com");
    const subjects = async () => (await mails()).filter(({ to }) => to === email).map(({ subject }) => subject);
    for (let nth = 0; nth < 15; nth++) {
      await signIn(elsewhere(), { email, password: PASSWORD, otp_code: WRONG });
    }
    await mailsTo(mails, email, 1);
    expect(await subjects()).toEqual(["Wrong codes were entered with your password"]);
    await guess(40, () => signIn(elsewhere(), { email, password: "guess" }));
    await mailsTo(mails, email, 2);
    expect((await subjects()).toSorted()).toEqual([
      "Many sign-ins to your account failed",
      "Wrong codes were entered with your password",
    ]);
    nowMs += 86_400_000;
    for (let nth = 0; nth < 5; nth++) {
      await signIn(elsewhere(), { email, password: PASSWORD, otp_code: WRONG });
    }
    await mailsTo(mails, email, 3);
  },
);

test(
  "a flood of wrong passwords from many IP networks does not lock out a familiar device, even after a restart",
  { timeout: 120_000 },
  async () => {
    const email = "flood@example.com";
    await newOwner(pg.pool, email);
    const cookies = new Map<string, string>();
    expect(
      (await browserAt(app, "192.0.2.2", cookies)("POST", "/login.json", { email, password: PASSWORD })).statusCode,
    ).toBe(200);
    cookies.delete("millrace");
    // Must run last: this server takes the other's jobs and writes their mails to its own folder.
    const { app: restarted } = await accountsServer(pg.pool);
    await guess(100, () => from(restarted, elsewhere())("POST", "/login.json", { email, password: "guess" }));
    const payload = { email, password: PASSWORD };
    expect((await from(restarted, elsewhere())("POST", "/login.json", payload)).statusCode).toBe(429);
    expect((await browserAt(restarted, elsewhere(), cookies)("POST", "/login.json", payload)).statusCode).toBe(200);
  },
);
