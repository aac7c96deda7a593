import type { AppSettings } from "@millrace/contract";
import { expect, onTestFinished, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { createApp } from "../index.ts";
import { appsServer, newAccount } from "../testing/apps-server.ts";

const stores = await testStores();
const { pool } = stores.pg;

test("rewards and the server that is told of them are the owner's to set; the log does not hold its address", async () => {
  const at = await appsServer(stores, { role: "SUSR" });
  onTestFinished(() => at.stop());
  const [owner, other] = [await newAccount(stores, "Owner"), await newAccount(stores, "Other")];
  const app = await createApp(pool, owner, { name: "Puzzle", bundleId: "com.example.puzzle", platform: "android" });
  const put = (accountId: number, body: unknown) => at.send("PUT", accountId, `/apps/${app.uuid}/rewards`, body);
  const read = async () => ((await at.get(owner, `/apps/${app.uuid}/settings.json`)).body as AppSettings).rewards;
  const rewards = { callback_url: "https://game.example/reward?key=secret", name: "coins", amount: 5 };

  expect(await put(other, rewards)).toMatchObject({ status: 404 });
  for (const callback_url of [
    "ftp://game.example/",
    "https://me:pass@game.example/",
    "https://game.example/#a",
    "game",
    "",
    "https://game.example/?level=3&user_id=player-7",
    "https://game.example/?App[]=7",
  ])
    expect(await put(owner, { ...rewards, callback_url })).toMatchObject({ status: 400 });
  for (const amount of [0, 1.5, 1e12, "5"])
    expect(await put(owner, { ...rewards, amount })).toMatchObject({ status: 400 });
  expect(await read()).toEqual({ callback_url: null, name: "reward", amount: 1 });
  // An address from before the rule for parameters is shown all the same.
  const earlier = "https://game.example/?app=7";
  await pool.query("UPDATE apps SET reward_callback_url = $2 WHERE id = $1", [app.id, earlier]);
  expect(await read()).toMatchObject({ callback_url: earlier });
  expect((await put(owner, rewards)).body).toMatchObject({ rewards });
  expect(await read()).toEqual(rewards);
  const log = await pool.query("SELECT action, details FROM audit_log WHERE subject = $1", [app.uuid]);
  const details = { callback_url: "changed", name: "coins", amount: 5 };
  expect(log.rows).toEqual([{ action: "app_rewards_set", details }]);
});
