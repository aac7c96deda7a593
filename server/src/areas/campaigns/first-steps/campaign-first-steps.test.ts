import type { CampaignFirstSteps } from "@millrace/contract";
import { expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { someMoney } from "../../../testing/budgets/some-money.ts";
import { anAdvertiser } from "../testing/an-advertiser.ts";

const stores = await testStores();
const { pool } = stores.pg;
const { at, me, newCampaign, imageOf, someCreative } = await anAdvertiser(stores);

async function stepsNow(accountId: number): Promise<CampaignFirstSteps> {
  const { status, body } = await at.get(accountId, "/campaign/first_steps.json");
  expect(status).toBe(200);
  return body as unknown as CampaignFirstSteps;
}
const doneIn = ({ steps }: CampaignFirstSteps) => steps.flatMap(({ step, state }) => (state === "done" ? [step] : []));

test("each step ticks by its event: a campaign, money, an approval, and a billed impression", async () => {
  const accountId = await at.newAccount();
  expect(await stepsNow(accountId)).toEqual({
    steps: [
      { step: "campaign", state: "todo" },
      { step: "balance", state: "todo" },
      { step: "approved", state: "waiting" },
      { step: "spend", state: "waiting" },
    ],
    spent: 0,
    since: null,
    held_by: null,
  });
  const image = await imageOf(accountId);
  const uuid = await newCampaign(accountId, { creatives: [someCreative({ image_url: image })] });
  expect(doneIn(await stepsNow(accountId))).toEqual(["campaign"]);
  expect((await stepsNow(accountId)).held_by).toMatch(/balance is empty/);

  await someMoney(pool).refill(accountId, 5_000_000);
  expect(doneIn(await stepsNow(accountId))).toEqual(["campaign", "balance"]);
  expect((await stepsNow(accountId)).held_by).toBe("It starts on Jan 1st, 2099, 14:00 UTC.");
  const { rows } = await pool.query<{ id: number }>("SELECT id FROM campaigns WHERE uuid = $1", [uuid]);
  const id = rows[0]?.id;
  await pool.query("UPDATE creatives SET moderation = 'approved' WHERE campaign_id = $1", [id]);
  expect(doneIn(await stepsNow(accountId))).toEqual(["campaign", "balance", "approved"]);

  await pool.query("INSERT INTO account_budgets (account_id, spent_micros) VALUES ($1, 3750)", [accountId]);
  await pool.query("INSERT INTO campaign_budgets (campaign_id, account_id, spent_micros) VALUES ($1, $2, 3750)", [
    id,
    accountId,
  ]);
  await pool.query("INSERT INTO campaign_days VALUES ($1, '2026-11-20', 1250), ($1, '2026-11-19', 2500)", [id]);
  const complete = await stepsNow(accountId);
  expect(doneIn(complete)).toEqual(["campaign", "balance", "approved", "spend"]);
  expect(complete).toMatchObject({ spent: 3750, since: "2026-11-19" });
});

test("another account's campaigns and money do no step", async () => {
  await newCampaign(me.accountId);
  expect(doneIn(await stepsNow(await at.newAccount()))).toEqual([]);
});
