import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { newPerson, testPlatform } from "../../testing/test-platform.ts";
import { unsubscribeLinks } from "./unsubscribe-links.ts";

const SECRET = "a-secret-that-is-long-enough-for-links";
const CALLS_PER_MINUTE = 60;
const CALLS_OF_AN_ADDRESS = CALLS_PER_MINUTE * 5;
const CLICKS_OF_A_LINK = 20;
const { pool, url, ask } = await testPlatform(await testStores(), {
  MILLRACE_SECRET: SECRET,
  CALLS_PER_MINUTE: String(CALLS_PER_MINUTE),
});
const links = unsubscribeLinks([SECRET], url);
const click = async (userUuid: string) => (await ask({}, "POST", new URL(links.urlFor(userUuid)).pathname)).status;

test("users behind one address unsubscribe without a shared limit, and each link has its own limit", async () => {
  const people = [];
  for (let nth = 0; nth <= CALLS_OF_AN_ADDRESS / CLICKS_OF_A_LINK; nth++)
    people.push(await newPerson(pool, `neighbour-${nth}@example.com`));
  await pool.query("UPDATE users SET is_subscribed = true");
  const statuses = [];
  for (const { uuid } of people) for (let nth = 0; nth < CLICKS_OF_A_LINK; nth++) statuses.push(await click(uuid));
  expect(statuses.length).toBeGreaterThan(CALLS_OF_AN_ADDRESS);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await pool.query("SELECT FROM users WHERE is_subscribed")).rowCount).toBe(0);
  expect(await click(people[0]?.uuid ?? "")).toBe(429);
});

test("links that were not signed here count against their address", async () => {
  const forged = (nth: number) =>
    `/unsubscribe/00000000-0000-4000-8000-${String(nth).padStart(12, "0")}.${"0".repeat(43)}`;
  const statuses = [];
  for (let nth = 0; nth <= CALLS_OF_AN_ADDRESS; nth++) statuses.push((await ask({}, "POST", forged(nth))).status);
  expect(statuses.slice(0, -1).every((status) => status === 404)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
});
