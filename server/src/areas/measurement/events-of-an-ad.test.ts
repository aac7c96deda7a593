import { EVENTS_OF_AN_AD } from "@millrace/contract";
import { beforeAll, expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { aMeasuredAdvertiser } from "./testing/measured-advertiser.ts";

const stores = await testStores();
const { at, me, campaign, measurement, clickOf } = await aMeasuredAdvertiser(stores);
const { pool } = stores.pg;

const about = { path: "", secret: "" };
beforeAll(async () => {
  const { body } = await at.send(me.accountId, "/campaign/postback_secret", {});
  Object.assign(about, {
    path: new URL((await measurement()).postback_url).pathname,
    secret: String(body["secret"]),
  });
});

const adOf = (nth: number): string => Buffer.alloc(12, nth).toString("base64url");
async function send(params: Record<string, string>) {
  const query = new URLSearchParams({ ...params, secret: about.secret });
  const reply = await at.server.inject({ url: `${about.path}?${query.toString()}` });
  return [reply.statusCode, reply.json<object>()] as const;
}

/** Events of an ad, numbered from 1, without the postbacks that brought them. */
const keep = (nth: number, many: number) =>
  pool.query(
    `INSERT INTO conversions (campaign_id, creative_id, app_id, ad, event, transaction_id, kind, is_goal, ad_at, at, format, country,
       platform, arm, demo, is_stored)
     SELECT $1, 7, 3, $2, 'purchase', n::text, 'click', false, now(), now(), 'banner', 'DE', 'android', '', false, true
     FROM generate_series(1, $3::int) AS n`,
    [campaign.id, adOf(nth), many],
  );
const kept = async (nth: number) =>
  (await pool.query<{ n: number }>("SELECT count(*)::int AS n FROM conversions WHERE ad = $1", [adOf(nth)])).rows[0]?.n;

test("an ad has a limited number of events, and those after them are refused for good and told to the advertiser", async () => {
  await keep(1, EVENTS_OF_AN_AD - 2);
  const click_id = clickOf({ ad: adOf(1) });
  expect(await send({ click_id })).toEqual([200, { ok: 1 }]);
  expect(await send({ click_id, event: "purchase", transaction_id: "last" })).toEqual([200, { ok: 1 }]);
  const refusal = [422, { error: "This click has its 1,000 events already" }];
  expect(await send({ click_id, event: "purchase", transaction_id: "one more" })).toEqual(refusal);
  // The ad's impression has the same events, and another name has no limit of its own.
  expect(await send({ click_id: clickOf({ ad: adOf(1), kind: "view" }), event: "level" })).toEqual(refusal);
  expect(await kept(1)).toBe(EVENTS_OF_AN_AD);
  // What was counted before is still known as such, and another ad is not concerned.
  expect(await send({ click_id })).toEqual([409, { error: "Counted before" }]);
  expect((await send({ click_id: clickOf({ ad: adOf(2) }) }))[0]).toBe(200);
  const { postbacks, counts } = await measurement();
  expect(counts["over_limit"]).toBe(2);
  expect(postbacks.find(({ outcome }) => outcome === "over_limit")).toMatchObject({ event: "level", kind: "view" });
});

test("an event that is not stored for good yet is stored when it is sent again, also if it is the ad's last one", async () => {
  await keep(3, EVENTS_OF_AN_AD - 1);
  const click_id = clickOf({ ad: adOf(3) });
  await send({ click_id });
  await pool.query("UPDATE conversions SET is_stored = false WHERE ad = $1 AND event = 'install'", [adOf(3)]);
  expect((await send({ click_id }))[0]).toBe(200);
  expect((await send({ click_id }))[0]).toBe(409);
});

test("postbacks at once pass the limit of an ad by no more than the statements that run at once", async () => {
  await keep(4, EVENTS_OF_AN_AD - 5);
  const click_id = clickOf({ ad: adOf(4) });
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, nth) => send({ click_id, event: "level", transaction_id: String(nth) })),
  );
  const accepted = replies.filter(([status]) => status === 200).length;
  expect(replies.filter(([status]) => status === 422)).toHaveLength(200 - accepted);
  expect(accepted).toBeGreaterThanOrEqual(5);
  expect(accepted).toBeLessThan(5 + pool.options.max);
  expect(await kept(4)).toBe(EVENTS_OF_AN_AD - 5 + accepted);
});
