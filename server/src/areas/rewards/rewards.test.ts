import { type Reply, rewardCallbacks, rewardKeys, sendTestReward } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { buildServer } from "../../platform/http/build-server.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { serveHttp } from "../../platform/testing/serve-http.ts";
import { someCaller } from "../../platform/testing/some-caller.ts";
import { testPostgres } from "../../platform/testing/stores.ts";
import { CallbackSender, retryAfterMs } from "./callback-sender.ts";
import { addCallback } from "./callback-store.ts";
import { callbackUrl } from "./callback-url.ts";
import { type EarnedReward, rewardsArea } from "./index.ts";
import { rewardKeysOf } from "./reward-keys.ts";
import { documentedVerifier } from "./testing/documented-verifier.ts";

const { pool } = await testPostgres();
const SECRET = "a secret for tests of at least 32 bytes";
const UUID = "00000000-0000-4000-8000-000000000001";
const { isGenuine } = await documentedVerifier();
let appId: number;

beforeEach(async () => {
  await pool.query("TRUNCATE apps, reward_callbacks CASCADE");
  const account = await pool.query<{ id: number }>("INSERT INTO accounts (name) VALUES ('Studio') RETURNING id");
  const app = await pool.query<{ id: number }>(
    `INSERT INTO apps (uuid, account_id, name, bundle_id, platform) VALUES ($2, $1, 'A', 'com.example.a', 'android')
     RETURNING id`,
    [account.rows[0]?.id, UUID],
  );
  appId = app.rows[0]?.id ?? 0;
});

/** Another app of the same account. */
async function addApp(): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO apps (account_id, name, bundle_id, platform) SELECT account_id, 'B', 'com.example.b', 'android'
     FROM apps WHERE id = $1 RETURNING id`,
    [appId],
  );
  return rows[0]?.id ?? 0;
}

/** The area on a clock that a test can set, with the address at which it publishes its keys. */
async function startRewards({ secrets = [SECRET], trusts = [] as string[] } = {}) {
  const clock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs };
  const area = rewardsArea({
    pool,
    clock,
    log: silentLog,
    secrets,
    trustedOrigins: new Set(trusts),
    findApp: async ({ accountId }) => (accountId === 1 ? { app_id: appId } : undefined),
  });
  const server: FastifyInstance = await buildServer({
    log: silentLog,
    trustedProxies: 0,
    authenticate: async (request) => someCaller({ accountId: Number(request.headers["x-account"] ?? 1) }),
  });
  area.routes(server);
  const origin = await server.listen({ port: 0, host: "127.0.0.1" });
  await area.start?.();
  const stop = async () => {
    await server.close();
    await area.stop?.();
  };
  onTestFinished(stop);
  return { area, clock, server, stop, keysUrl: `${origin}${rewardKeys.path}` };
}

/** A publisher's server that answers with a status, or as long as `isDown` not at all. */
async function startGame() {
  const game = { calls: [] as string[], status: 200, isDown: false, origin: "" };
  game.origin = await serveHttp((request, reply) => {
    if (game.isDown) {
      request.socket.destroy();
      return;
    }
    game.calls.push(request.url ?? "");
    reply.writeHead(game.status).end();
  });
  return game;
}

const someReward = (origin: string, change: Partial<EarnedReward> = {}): EarnedReward => ({
  appId,
  appUuid: UUID,
  callbackUrl: `${origin}/reward?game=7`,
  transactionId: "5f1c",
  provider: "north",
  zone: "extra_life",
  name: "gold & silver",
  amount: 5,
  userId: "player 7",
  customData: "level=3&säge=ä",
  earnedAtMs: Date.now(),
  ...change,
});

test("an earned reward is called once, and the documented verifier accepts it and nothing that was changed", async () => {
  const game = await startGame();
  const { area, keysUrl } = await startRewards({ trusts: [game.origin] });
  const reward = someReward(game.origin);
  expect(await Promise.all([area.earn(reward), area.earn(reward), area.earn(reward)])).toContain(true);
  expect(await area.earn({ ...reward, amount: 500 })).toBe(false);
  await expect.poll(() => game.calls.length).toBe(1);
  const url = new URL(game.calls[0] ?? "", game.origin);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    game: "7",
    ad_network: "north",
    ad_unit: "extra_life",
    app: UUID,
    custom_data: "level=3&säge=ä",
    reward_amount: "5",
    reward_item: "gold & silver",
    timestamp: String(reward.earnedAtMs),
    transaction_id: "5f1c",
    user_id: "player 7",
  });
  expect(await isGenuine(url.href, keysUrl, UUID)).toBe(true);
  for (const changed of [
    url.href.replace("reward_amount=5", "reward_amount=500"),
    url.href.replace("user_id=player", "user_id=another"),
    url.href.replace("game=7", "game=8"),
    url.href.replace("transaction_id=5f1c", "transaction_id=5f1d"),
    url.href.replace(/key_id=\d+/, "key_id=1"),
  ]) {
    expect(changed).not.toBe(url.href);
    expect(await isGenuine(changed, keysUrl, UUID)).toBe(false);
  }
  // What names a user is deleted once it is delivered.
  await expect
    .poll(async () => (await pool.query("SELECT state, url, tries FROM reward_callbacks")).rows)
    .toEqual([{ state: "delivered", url: null, tries: 1 }]);
});

test("a callback is tried again until the server takes it, also after a restart, with the same transaction", async () => {
  const game = await startGame();
  game.isDown = true;
  const first = await startRewards({ trusts: [game.origin] });
  await first.area.earn(someReward(game.origin));
  const outcome = async () => (await pool.query<{ outcome: string }>("SELECT outcome FROM reward_callbacks")).rows[0];
  await expect.poll(outcome).toEqual({ outcome: "failed" });
  await first.stop();
  game.isDown = false;
  game.status = 503;
  const second = await startRewards({ trusts: [game.origin] });
  second.clock.offsetMs = 60_000;
  await expect.poll(outcome).toEqual({ outcome: "503" });
  game.status = 204;
  second.clock.offsetMs = 120_000;
  await expect.poll(() => game.calls.length).toBe(2);
  expect(game.calls[1]).toBe(game.calls[0]);
  await expect.poll(outcome).toEqual({ outcome: "204" });
});

test("after a day a callback is given up, and the settings say so", async () => {
  const game = await startGame();
  game.status = 404;
  const { area, clock, server } = await startRewards({ trusts: [game.origin] });
  await area.earn(someReward(game.origin));
  const counts = async () =>
    (await server.inject(rewardCallbacks.path.replace("{id}", UUID))).json<Reply<typeof rewardCallbacks>>();
  await expect.poll(counts).toEqual({ delivered: 0, waiting: 1, failed: 0, last_failure: 404 });
  clock.offsetMs = 86_300_000;
  await expect.poll(() => game.calls.length).toBe(2);
  clock.offsetMs = 86_400_000 + 3_600_000;
  await expect
    .poll(async () => (await pool.query("SELECT state, url FROM reward_callbacks")).rows)
    .toEqual([{ state: "failed", url: null }]);
  expect(game.calls.length).toBe(2);
  expect(await counts()).toEqual({ delivered: 0, waiting: 0, failed: 1, last_failure: 404 });
  clock.offsetMs += 86_400_001;
  expect(await counts()).toEqual({ delivered: 0, waiting: 0, failed: 0, last_failure: null });
  const stranger = await server.inject({
    url: rewardCallbacks.path.replace("{id}", UUID),
    headers: { "x-account": "2" },
  });
  expect(stranger.statusCode).toBe(404);
});

test("tries are at least 5 seconds and at most an hour apart", () => {
  expect([1, 2, 3, 10, 11, 60].map(retryAfterMs)).toEqual([5000, 10_000, 20_000, 2_560_000, 3_600_000, 3_600_000]);
});

test("a slow server delays no other publisher's callbacks", async () => {
  const slow = await serveHttp(() => undefined);
  const game = await startGame();
  const { area } = await startRewards({ trusts: [slow, game.origin] });
  const other = await addApp();
  for (let nth = 0; nth < 60; nth++) await area.earn(someReward(slow, { transactionId: `slow ${nth}` }));
  const began = performance.now();
  await area.earn(someReward(game.origin, { appId: other, transactionId: "quick" }));
  await expect.poll(() => game.calls.length, { timeout: 4000, interval: 20 }).toBe(1);
  // The slow ones end after 5 seconds.
  expect(performance.now() - began).toBeLessThan(4000);
});

test("silent servers, however many, leave the others room for their callbacks", { timeout: 30_000 }, async () => {
  const silent = await serveHttp(() => undefined);
  const game = await startGame();
  const { area } = await startRewards({ trusts: [silent, game.origin] });
  for (let nth = 0; nth < 6; nth++) {
    const id = await addApp();
    for (let more = 0; more < 40; more++)
      await area.earn(someReward(silent, { appId: id, transactionId: `silent ${nth} ${more}` }));
  }
  for (let nth = 0; nth < 20; nth++) await area.earn(someReward(game.origin, { transactionId: `quick ${nth}` }));
  // The first calls of silent servers last five seconds: until then nobody knows that they are silent.
  await expect.poll(() => game.calls.length, { interval: 50 }).toBe(20);
});

test("tests of silent servers take no connection from earned rewards", { timeout: 20_000 }, async () => {
  const game = await startGame();
  let asked = 0;
  const silent = await Promise.all(Array.from({ length: 32 }, () => serveHttp(() => void asked++)));
  const sender = new CallbackSender({
    pool,
    clock: systemClock,
    log: silentLog,
    trustedOrigins: new Set([...silent, game.origin]),
  });
  onTestFinished(() => sender.stop());
  // Eight connections to each server are all that a client opens to it, and these are all that it opens.
  const tests = silent.flatMap((origin) => Array.from({ length: 8 }, () => sender.test(origin)));
  await expect.poll(() => asked, { timeout: 4500, interval: 10 }).toBe(256);
  await addCallback(pool, { transactionId: "earned", appId, url: game.origin, earnedAtMs: Date.now() });
  sender.start();
  const callsBeforeTheEnd = Promise.race(tests).then(() => game.calls.length);
  await Promise.all(tests);
  expect(await callsBeforeTheEnd).toBe(1);
});

test("an address in a private network is never called", async () => {
  const game = await startGame();
  const { area, server } = await startRewards();
  await area.earn(someReward(game.origin));
  await pool.query("UPDATE apps SET reward_callback_url = $1", [`${game.origin}/reward`]);
  const sent = await server.inject({ method: "POST", url: sendTestReward.path.replace("{id}", UUID) });
  expect(sent.json()).toEqual({ delivered: false, outcome: "closed_address" });
  await expect
    .poll(async () => (await pool.query("SELECT state, outcome FROM reward_callbacks")).rows)
    .toEqual([{ state: "waiting", outcome: "closed_address" }]);
  expect(game.calls).toEqual([]);
});

test("a test callback is signed, says that it is one, and needs an address", async () => {
  const game = await startGame();
  const { server, keysUrl } = await startRewards({ trusts: [game.origin] });
  const url = sendTestReward.path.replace("{id}", UUID);
  expect((await server.inject({ method: "POST", url })).statusCode).toBe(409);
  expect((await server.inject({ method: "POST", url, headers: { "x-account": "2" } })).statusCode).toBe(404);
  await pool.query("UPDATE apps SET reward_callback_url = $1, reward_name = 'coins'", [`${game.origin}/reward`]);
  expect((await server.inject({ method: "POST", url })).json()).toEqual({ delivered: true, outcome: 200 });
  expect(game.calls[0]).toMatch(/reward_item=coins&test=1&/);
  expect(await isGenuine(new URL(game.calls[0] ?? "", game.origin).href, keysUrl, UUID)).toBe(true);
});

test("a new secret signs with a new key, and what the former one has signed can still be verified", async () => {
  const [former] = rewardKeysOf([SECRET]);
  const { keysUrl } = await startRewards({ secrets: ["another secret for tests, the newest", SECRET] });
  const reply = await fetch(keysUrl);
  expect(reply.headers.get("cache-control")).toBe("public, max-age=3600");
  const { keys } = (await reply.json()) as Reply<typeof rewardKeys>;
  expect(keys.map(({ keyId }) => keyId)).toEqual([expect.any(Number), former.keyId]);
  expect(keys[0]?.keyId).not.toBe(former.keyId);
  expect(JSON.stringify(keys)).not.toContain("PRIVATE");
  expect(await isGenuine(callbackUrl(former, someReward("https://game.example")), keysUrl, UUID)).toBe(true);
  const [unknown] = rewardKeysOf(["a secret of somebody else, who signs too"]);
  expect(await isGenuine(callbackUrl(unknown, someReward("https://game.example")), keysUrl, UUID)).toBe(false);
});
