import { expect, test } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { testSealer } from "../../../platform/testing/test-sealer.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { codeThrottle } from "../authenticator/code-throttle.ts";
import { takeCode } from "../authenticator/take-code.ts";
import { failureCount } from "./tell-failures.ts";
import { PASSWORD, accountsServer, newOwner } from "../testing/accounts-server.ts";
import { giveAuthenticator } from "../testing/give-authenticator.ts";

const pg = await testPostgres();
const clock = { now: () => Date.now() };
const { app, jobs } = await accountsServer(pg.pool);
const GUESSES = 1000;

type Reply = Awaited<ReturnType<typeof tryIn>>;
const tryIn = async (address: string, payload: object) =>
  app.inject({ method: "POST", url: "/login.json", payload, headers: { "x-forwarded-for": address } });
/** Counts replies by status; every temporary refusal must have a Retry-After. */
function tally(replies: readonly Reply[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { statusCode, headers, cookies } of replies) {
    counts[statusCode] = (counts[statusCode] ?? 0) + 1;
    if (statusCode !== 200) expect(cookies).toEqual([]);
    if (statusCode === 429) expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  }
  return counts;
}
/** Sends twenty requests at a time. */
async function many(count: number, one: (nth: number) => Promise<Reply>): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let nth = 0; nth < count; nth += 20) {
    replies.push(...(await Promise.all(Array.from({ length: Math.min(20, count - nth) }, (_, k) => one(nth + k)))));
  }
  return replies;
}
const addressOf = (nth: number) => `10.${Math.floor(nth / 250)}.7.${(nth % 250) + 1}`;

test("of 1,000 guesses at a password from one address ten are checked, even if the last is right", async () => {
  const email = "one@example.com";
  await newOwner(pg.pool, email);
  const guesses = await many(GUESSES, async (nth) =>
    tryIn("192.0.2.1", { email, password: nth < GUESSES - 1 ? `guess-${nth}` : PASSWORD }),
  );
  expect(tally(guesses)).toEqual({ 422: 10, 429: 990 });
  expect((await tryIn("192.0.2.2", { email, password: PASSWORD })).statusCode).toBe(200);
});

test("of 1,000 guesses from 1,000 addresses a hundred are checked", async () => {
  const email = "spread@example.com";
  await newOwner(pg.pool, email);
  const guesses = await many(GUESSES, async (nth) => tryIn(addressOf(nth), { email, password: `guess-${nth}` }));
  expect(tally(guesses)).toEqual({ 422: 100, 429: 900 });
  expect((await tryIn("192.0.2.4", { email, password: PASSWORD })).statusCode).toBe(429);
});

test("of 1,000 guesses from one address at 1,000 e-mails a hundred are checked", async () => {
  const guesses = await many(GUESSES, async (nth) =>
    tryIn("192.0.2.5", { email: `each${nth}@example.com`, password: "letmein" }),
  );
  expect(tally(guesses)).toEqual({ 422: 100, 429: 900 });
});

test("of 1,000 guesses at a code five are checked from one address, fifty from 500 addresses", async () => {
  const email = "code@example.com";
  const { userId } = await newOwner(pg.pool, email);
  const { codeAt } = await giveAuthenticator(pg.pool, userId);
  // Yesterday's codes, which are almost certainly wrong now.
  const old = await codeAt(Date.now() - 86_400_000);
  const fromOne = await many(GUESSES, async () => tryIn("192.0.2.7", { email, password: PASSWORD, otp_code: old }));
  expect(tally(fromOne)).toEqual({ 422: 5, 429: 995 });
  const guesses = await many(GUESSES, async (nth) =>
    tryIn(addressOf(1000 + (nth % 500)), { email, password: PASSWORD, otp_code: old }),
  );
  expect(tally(guesses)).toEqual({ 422: 45, 429: 955 });
  const right = await tryIn("192.0.2.6", { email, password: PASSWORD, otp_code: await codeAt(Date.now()) });
  expect(right.statusCode).toBe(429);
});

test("of 50 simultaneous sign-ins with one code, one succeeds", async () => {
  const email = "parallel@example.com";
  const { userId } = await newOwner(pg.pool, email);
  const { codeAt } = await giveAuthenticator(pg.pool, userId);
  const payload = { email, password: PASSWORD, otp_code: await codeAt(Date.now()) };
  const replies = await Promise.all(Array.from({ length: 50 }, (_, nth) => tryIn(addressOf(2000 + nth), payload)));
  expect(tally(replies)[200]).toBe(1);
  const { rows } = await pg.pool.query("SELECT FROM sessions WHERE user_id = $1", [userId]);
  expect(rows.length).toBe(1);
});

test("of 50 simultaneous uses of one code without rate limits, one succeeds", async () => {
  const { userId } = await newOwner(pg.pool, "store@example.com");
  const { codeAt } = await giveAuthenticator(pg.pool, userId, ["wxyz-wxyz-wxyz-wxyz"]);
  const lax = codeThrottle({ perSource: 1000 });
  const failures = failureCount();
  const deps = { pool: pg.pool, clock, sealer: testSealer, codeThrottle: lax, failures, jobs, log: silentLog };
  const passed = async (given: { otp_code?: string; recovery_code?: string }) => {
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, async () => takeCode(deps, userId, given, { session: "one" })),
    );
    return outcomes.filter(Boolean).length;
  };
  expect(await passed({ otp_code: await codeAt(Date.now()) })).toBe(1);
  expect(await passed({ recovery_code: "wxyzwxyzwxyzwxyz" })).toBe(1);
});
