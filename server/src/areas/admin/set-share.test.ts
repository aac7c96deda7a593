import { randomUUID } from "node:crypto";
import { addDays, dayOf } from "@millrace/units";
import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { newPerson, sessionOf, testPlatform } from "../../testing/test-platform.ts";

const { pool, ask, mailsTo } = await testPlatform(await testStores());
const admin = await newPerson(pool, "admin@example.com", { role: "admin" });
const asAdmin = { cookie: await sessionOf(pool, admin) };
const set = (uuid: string, body: object) => ask(asAdmin, "POST", `/admin/users/${uuid}/share`, body);

const inDays = (days: number) => addDays(dayOf(Date.now()), days);
const share = (some: object = {}) => ({ share_ppm: 850_000, from: inDays(1), reason: "A good year", ...some });

test("a share is set once from a day on, with an audit entry and a mail, and its publisher reads it", async () => {
  const owner = await newPerson(pool, "publisher@example.com");
  for (let nth = 0; nth < 3; nth++) expect((await set(owner.uuid, share())).status).toBe(200);
  const later = { share_ppm: 700_001, from: inDays(40), reason: "The trial is over" };
  const { body } = await set(owner.uuid, later);
  const at = expect.any(String) as string;
  expect(body).toEqual({
    share_ppm: 800_000,
    platform_ppm: 800_000,
    shares: [
      { ...later, set_at: at, when: "future" },
      { ...share(), set_at: at, when: "future" },
    ],
  });
  const asOwner = { cookie: await sessionOf(pool, owner) };
  expect((await ask(asOwner, "GET", "/payment/shares.json")).body).toEqual(body);
  expect((await ask(asAdmin, "GET", `/admin/users/${owner.uuid}/shares.json`)).body).toEqual(body);
  const { rows } = await pool.query("SELECT subject, details FROM audit_log WHERE action = 'share_set' ORDER BY id");
  expect(rows).toEqual([
    { subject: owner.uuid, details: { ...share(), former_ppm: 800_000 } },
    { subject: owner.uuid, details: { ...later, former_ppm: 850_000 } },
  ]);
  const texts = async () => (await mailsTo(owner.email)).map(({ text }) => text).join("\n");
  await expect.poll(async () => (await mailsTo(owner.email)).length).toBe(2);
  expect(await texts()).toContain("you earn 85% of the price at which an ad of yours is sold instead of 80%.");
  expect(await texts()).toContain("Reason: The trial is over");
});

test("a share that has not begun is replaced by another one for its day; what was set stays on record", async () => {
  const owner = await newPerson(pool, "replaced@example.com");
  await set(owner.uuid, share());
  const { body } = await set(owner.uuid, share({ share_ppm: 900_000, reason: "A typing mistake" }));
  expect(body["shares"]).toMatchObject([{ share_ppm: 900_000, reason: "A typing mistake" }]);
  const { rows } = await pool.query("SELECT share_ppm FROM revenue_shares WHERE account_id = $1 ORDER BY id", [
    owner.accountId,
  ]);
  expect(rows).toEqual([{ share_ppm: 850_000 }, { share_ppm: 900_000 }]);
  for (const sql of ["UPDATE revenue_shares SET share_ppm = 0", "DELETE FROM revenue_shares"])
    await expect(pool.query(sql)).rejects.toThrow("revenue_shares is only added to");
});

test.each([
  ["a day that is over", { from: inDays(-1) }, { from: "Choose a day after today (UTC)" }],
  ["the day under way", { from: inDays(0) }, { from: "Choose a day after today (UTC)" }],
  ["more than the whole price", { share_ppm: 1_000_001 }, { share_ppm: "Use 0 to 100 percent" }],
  ["less than nothing", { share_ppm: -1 }, { share_ppm: "Use 0 to 100 percent" }],
  ["no reason", { reason: " " }, { reason: "This field is required" }],
])("%s is refused at its field, and no share is set", async (_what, wrong, error) => {
  const owner = await newPerson(pool, `${randomUUID()}@example.com`);
  const { status, body } = await set(owner.uuid, share(wrong));
  expect([status >= 400 && status < 500, body]).toEqual([true, { error }]);
  expect((await ask(asAdmin, "GET", `/admin/users/${owner.uuid}/shares.json`)).body["shares"]).toEqual([]);
});

test("the store itself refuses a share for a day that has begun", async () => {
  const { accountId } = await newPerson(pool, "past@example.com");
  await expect(
    pool.query(
      `INSERT INTO revenue_shares (account_id, from_day, share_ppm, reason, set_at)
       VALUES ($1, '2026-11-19', 1, 'Too late', '2026-11-19T00:00:00Z')`,
      [accountId],
    ),
  ).rejects.toThrow("revenue_shares_check");
});

test("an account without apps and an unknown user have no share, and no publisher sets one", async () => {
  const advertiser = await newPerson(pool, "advertiser@example.com", { canApps: false });
  expect((await set(advertiser.uuid, share())).status).toBe(422);
  expect((await set(randomUUID(), share())).status).toBe(404);
  const owner = await newPerson(pool, "self@example.com");
  const asOwner = { cookie: await sessionOf(pool, owner) };
  expect((await ask(asOwner, "POST", `/admin/users/${owner.uuid}/share`, share())).status).toBe(403);
});
