import { expect, test } from "vitest";
import { serveHttp } from "../../platform/testing/serve-http.ts";
import { callbackUrl } from "./callback-url.ts";
import { publishedKey, rewardKeysOf } from "./reward-keys.ts";
import { documentedVerifier } from "./testing/documented-verifier.ts";

const { isGenuine } = await documentedVerifier();
const [key] = rewardKeysOf(["a secret for tests of at least 32 bytes"]);
/** Publishes the key for a test. */
const serveKeys = () => serveHttp((_, reply) => void reply.end(JSON.stringify({ keys: [publishedKey(key)] })));
const GAME = "00000000-0000-4000-8000-000000000001";
const MALLORY = "00000000-0000-4000-8000-000000000002";

/** A callback that Mallory's app gets, for a reward, zone and user of her choice. */
const toMallory = (callback: string, { isTest = false } = {}) =>
  callbackUrl(
    key,
    {
      appId: 2,
      appUuid: MALLORY,
      callbackUrl: callback,
      transactionId: "5f1c",
      provider: "north",
      zone: "extra_life",
      name: "coins",
      amount: 1_000_000_000,
      userId: "player-7",
      customData: "",
      earnedAtMs: 1_795_521_600_000,
    },
    { isTest },
  );
const replayed = (url: string) => `https://game.example/reward${new URL(url).search}`;

test("a callback of another app is none of this app's, however equal zone, reward and user are", async () => {
  const keysUrl = await serveKeys();
  const url = toMallory("https://mallory.example/r");
  expect(await isGenuine(url, keysUrl, MALLORY)).toBe(true);
  expect(await isGenuine(replayed(url), keysUrl, GAME)).toBe(false);
  expect(await isGenuine(replayed(url).replace(MALLORY, GAME), keysUrl, GAME)).toBe(false);
});

test.each([
  `app=${GAME}&user_id=player-7&transaction_id=new`,
  `a%70p=${GAME}`,
  `APP=${GAME}`,
  `%20app=${GAME}`,
  `app[]=${GAME}`,
  `x=1;app=${GAME}`,
  `app%00=${GAME}`,
])("an address with the parameters %s signs none of them, in a test neither", async (own) => {
  const keysUrl = await serveKeys();
  const url = toMallory(`https://mallory.example/r?level=3&${own}&last=1`, { isTest: true });
  expect(url).not.toContain(GAME);
  expect([...new URL(url).searchParams.keys()]).toEqual([
    "level",
    "last",
    "ad_network",
    "ad_unit",
    "app",
    "reward_amount",
    "reward_item",
    "test",
    "timestamp",
    "transaction_id",
    "user_id",
    "signature",
    "key_id",
  ]);
  expect(await isGenuine(url, keysUrl, MALLORY)).toBe(true);
  expect(await isGenuine(replayed(url), keysUrl, GAME)).toBe(false);
});
