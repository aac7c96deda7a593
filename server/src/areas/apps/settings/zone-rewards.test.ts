import type { AppSettings } from "@millrace/contract";
import { expect, onTestFinished, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { createApp } from "../index.ts";
import { appsServer, newAccount } from "../testing/apps-server.ts";

const stores = await testStores();
const { pool } = stores.pg;

test("a zone of rewarded ads has a reward of its own, in the audit log too, and others have none", async () => {
  const at = await appsServer(stores, { role: "SUSR" });
  onTestFinished(() => at.stop());
  const owner = await newAccount(stores, "Owner");
  const app = { name: "Rewarding", bundleId: "com.example.rewarding", platform: "android" } as const;
  const { uuid, id } = await createApp(pool, owner, app);
  await pool.query(
    "INSERT INTO zones (app_id, zone, name, format) VALUES ($1, 'life', 'Life', 'rewarded'), ($1, 'top', 'Top', 'banner')",
    [id],
  );
  const edit = (zone: string, more: object) =>
    at.send("PUT", owner, `/apps/${uuid}/zones/${zone}`, { name: zone, refresh_seconds: 30, ...more });
  const rewardIn = ({ body }: { body: unknown }) =>
    (body as AppSettings).zones.find(({ zone }) => zone === "life")?.reward;
  expect(rewardIn(await edit("life", { reward: { name: "gems", amount: 3 } }))).toEqual({ name: "gems", amount: 3 });
  // Clients that know of no rewards leave it.
  expect(rewardIn(await edit("life", {}))).toEqual({ name: "gems", amount: 3 });
  for (const reward of [{ name: "", amount: 3 }, { name: "gems", amount: 0 }, { name: "gems" }, { amount: 3 }]) {
    expect((await edit("life", { reward })).status).toBe(400);
  }
  expect(await edit("top", { reward: { name: "gems", amount: 3 } })).toMatchObject({
    status: 400,
    body: { error: { reward: "Only a zone of rewarded ads has a reward" } },
  });
  expect(rewardIn(await edit("life", { reward: null }))).toBeNull();
  const { rows } = await pool.query("SELECT action, details FROM audit_log WHERE subject = $1 ORDER BY id", [uuid]);
  expect(rows).toEqual([
    { action: "app_zone_edited", details: { zone: "life", name: "life", reward_name: "gems", reward_amount: 3 } },
    { action: "app_zone_edited", details: { zone: "life", reward_name: null, reward_amount: null } },
  ]);
});
