import { expect, onTestFinished, test } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { serveHttp } from "../../../platform/testing/serve-http.ts";
import { rewardsArea } from "../../rewards/index.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsMarkup, VIDEO_AD } from "../testing/start-bidder.ts";
import { askForAd, fire, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

/** An exchange that tells a game's server of rewards, and a rewarded ad of 15 seconds. */
async function rewardedAd(more: object = {}) {
  const calls: URL[] = [];
  const game = await serveHttp((request, reply) => {
    calls.push(new URL(request.url ?? "", "http://game.example"));
    reply.end();
  });
  await at.stores.pg.pool.query(
    "UPDATE apps SET reward_callback_url = $1, reward_name = 'coins', reward_amount = 5 WHERE id = $2",
    [`${game}/reward`, at.app.id],
  );
  await withRewards(game);
  await at.partner("buyer", bidsMarkup(VIDEO_AD, 2));
  const asked = { format: "rewarded", zone: "life", user_id: "player-7", custom_data: "level=3", ...more };
  const { ads } = await askForAd(at.exchange, await startSession(at.exchange, at.app), asked);
  const [ad] = ads;
  if (!ad) throw new Error("there is no ad");
  return { ad, calls, game, reward: ad.beacons.reward ?? "" };
}

/** Restarts the exchange with callbacks, on the same journal. */
async function withRewards(game: string, more: object = {}): Promise<void> {
  const deps = { pool: at.stores.pg.pool, log: silentLog, secrets: ["a secret for tests of at least 32 bytes"] };
  const rewards = rewardsArea({
    ...deps,
    clock: { now: () => at.exchange.clock.now() },
    trustedOrigins: new Set([game]),
  });
  await rewards.start?.();
  onTestFinished(() => rewards.stop?.());
  await at.restart({ rewards, ...more });
}

test("a reward is told once, after the impression has counted and the ad's length has passed", async () => {
  const { ad, calls, reward } = await rewardedAd();
  expect(ad.reward).toEqual({ name: "coins", amount: 5 });
  const early = await fire(at.exchange, reward);
  expect([early.statusCode, early.headers["retry-after"]]).toEqual([425, "5"]);
  await fire(at.exchange, ad.beacons.impression);
  const atOnce = await fire(at.exchange, reward);
  expect([atOnce.statusCode, Number(atOnce.headers["retry-after"])]).toEqual([425, 14]);
  at.exchange.clock.offsetMs += 13_000;
  expect((await fire(at.exchange, reward)).statusCode).toBe(425);
  at.exchange.clock.offsetMs += 2000;
  const replies = await Promise.all(Array.from({ length: 5 }, () => fire(at.exchange, reward)));
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
  await expect.poll(() => calls.length).toBe(1);
  expect(Object.fromEntries(calls[0]?.searchParams ?? [])).toMatchObject({
    ad_network: "buyer",
    ad_unit: "life",
    app: at.app.uuid,
    reward_item: "coins",
    reward_amount: "5",
    user_id: "player-7",
    custom_data: "level=3",
  });
  expect((await at.stores.pg.pool.query("SELECT FROM reward_callbacks")).rowCount).toBe(1);
});

test("a replayed reward is refused after a restart too, and one from before it waits for the ad's length again", async () => {
  const { ad, calls, game, reward } = await rewardedAd();
  await fire(at.exchange, ad.beacons.impression);
  const { dataDir } = at.exchange;
  await withRewards(game, { dataDir });
  expect((await fire(at.exchange, reward)).statusCode).toBe(425);
  at.exchange.clock.offsetMs += 15_000;
  expect((await fire(at.exchange, reward)).statusCode).toBe(200);
  await withRewards(game, { dataDir });
  await fire(at.exchange, reward);
  at.exchange.clock.offsetMs += 30_000;
  expect((await fire(at.exchange, reward)).statusCode).toBe(200);
  await expect.poll(() => calls.length).toBe(1);
  expect((await at.stores.pg.pool.query("SELECT FROM reward_callbacks")).rowCount).toBe(1);
});

test("altered, foreign and expired reports are refused", async () => {
  const { ad, calls, reward } = await rewardedAd();
  await fire(at.exchange, ad.beacons.impression);
  at.exchange.clock.offsetMs += 20_000;
  const token = new URL(reward).searchParams.get("t") ?? "";
  const last = token.at(-2) === "A" ? "B" : "A";
  const altered = reward.replace(token, token.slice(0, -2) + last + token.slice(-1));
  const foreign = ad.beacons.impression.replace("/impression", "/reward");
  for (const url of [altered, foreign, reward.replace(token, "x")])
    expect((await fire(at.exchange, url)).statusCode).toBe(400);
  expect((await fire(at.exchange, reward.replace("/reward", "/impression"))).statusCode).toBe(400);
  at.exchange.clock.offsetMs += 25 * 3_600_000;
  expect((await fire(at.exchange, reward)).statusCode).toBe(410);
  expect(calls).toEqual([]);
});

test("a test ad earns nothing, and without an address there is nothing to report", async () => {
  const { ad, reward, calls } = await rewardedAd({ test: 1 });
  await fire(at.exchange, ad.beacons.impression);
  at.exchange.clock.offsetMs += 60_000;
  expect((await fire(at.exchange, reward)).statusCode).toBe(425);
  await at.stores.pg.pool.query("UPDATE apps SET reward_callback_url = NULL");
  await at.exchange.exchange.reloadConfig();
  expect((await fire(at.exchange, reward)).statusCode).toBe(200);
  const { ads } = await askForAd(at.exchange, await startSession(at.exchange, at.app), { format: "rewarded" });
  expect(ads[0]?.beacons.reward).toBeUndefined();
  expect(ads[0]?.reward).toEqual({ name: "coins", amount: 5 });
  expect(calls).toEqual([]);
});

test("a zone's own reward goes with its ads and to the publisher's server, and the app's goes with all others", async () => {
  await at.stores.pg.pool.query(
    `INSERT INTO zones (app_id, zone, name, format, reward_name, reward_amount)
     VALUES ($1, 'life', 'Life', 'rewarded', 'lives', 2), ($1, 'coins', 'Coins', 'rewarded', NULL, NULL)`,
    [at.app.id],
  );
  const { ad, calls, reward } = await rewardedAd();
  expect(ad.reward).toEqual({ name: "lives", amount: 2 });
  await fire(at.exchange, ad.beacons.impression);
  // What is sealed with the ad stays, whatever is set later.
  await at.stores.pg.pool.query("UPDATE zones SET reward_name = 'hearts' WHERE zone = 'life'");
  await at.exchange.exchange.reloadConfig();
  at.exchange.clock.offsetMs += 15_000;
  expect((await fire(at.exchange, reward)).statusCode).toBe(200);
  await expect.poll(() => calls.length).toBe(1);
  expect(Object.fromEntries(calls[0]?.searchParams ?? [])).toMatchObject({
    ad_unit: "life",
    reward_item: "lives",
    reward_amount: "2",
  });
  const session = await startSession(at.exchange, at.app);
  for (const [zone, expected] of [
    ["life", { name: "hearts", amount: 2 }],
    ["coins", { name: "coins", amount: 5 }],
    ["new", { name: "coins", amount: 5 }],
  ] as const) {
    const { ads } = await askForAd(at.exchange, session, { format: "rewarded", zone });
    expect(ads[0]?.reward).toEqual(expected);
  }
});
