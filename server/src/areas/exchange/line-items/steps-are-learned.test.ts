import { decodeTrace, replay } from "@millrace/auction";
import { explainAuction } from "@millrace/contract";
import { SKIP_EXPLORATION } from "@millrace/learning";
import { beforeEach, expect, test } from "vitest";
import { LINE_FILL_TABLE } from "../../apps/index.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { askForAd, post, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();
const { pool } = at.stores.pg;
let versions = 0;
let item: number;
let session: string;

beforeEach(async () => {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO line_items (app_id, name, format, zones, enabled, source, prices, created_at)
     VALUES ($1, 'Cedar', 'banner', '{}', true, '{"kind":"sdk","adapter":"Cedar","params":{}}', '[{"country":null,"price":2000000}]', now())
     RETURNING id`,
    [at.app.id],
  );
  item = rows[0]?.id ?? 0;
  await pool.query("UPDATE apps SET skips_partners = true, exploration = 0 WHERE id = $1", [at.app.id]);
  await learn({ "banner/US": true });
  session = await startSession(at.exchange, at.app);
});

async function learn(skips: object): Promise<void> {
  await pool.query(
    `INSERT INTO learned_tables VALUES ($1, $2, $3, now())
     ON CONFLICT (name) DO UPDATE SET version = excluded.version, content = excluded.content`,
    [LINE_FILL_TABLE, String(versions++), JSON.stringify({ [`line-items-${item}`]: skips })],
  );
  await at.exchange.exchange.reloadConfig();
}

const ask = (more: object = {}, address = "8.8.8.8") =>
  askForAd(at.exchange, session, { adapters: ["Cedar"], ...more }, { "x-forwarded-for": address });
const tries = async (count: number, ...of: Parameters<typeof ask>) => {
  let tried = 0;
  for (let nth = 0; nth < count; nth++) tried += (await ask(...of)).steps?.length ?? 0;
  return tried;
};

test("an adapter that is predicted to have no ad is hardly tried, and each trace has the draw and replays to the same bytes", async () => {
  const tried = await tries(40);
  expect(tried).toBeLessThan(8);
  const rows = await at.exchange.rows<{ trace: string }>("traces");
  expect(rows).toHaveLength(40);
  let skipped = 0;
  for (const { trace } of rows) {
    const bytes = new TextEncoder().encode(trace);
    expect(replay(bytes)).toMatchObject({ same: true, path: null });
    const { input, decision } = decodeTrace(bytes);
    const [line] = input.participants;
    const isSkipped = decision.refused.some(({ reason }) => reason === "predicted_no_fill");
    expect(line?.kind === "line" && line.skip).toEqual({
      isSkipped,
      probability: isSkipped ? 1 - SKIP_EXPLORATION : SKIP_EXPLORATION,
    });
    if (isSkipped) skipped++;
  }
  expect(skipped).toBe(40 - tried);
});

test("the auction says so, with the probability", async () => {
  let auction = "";
  for (let steps: unknown = []; steps !== undefined;) ({ auction, steps } = await ask());
  await at.exchange.rows("traces");
  const told = explainAuction.reply.parse((await at.exchange.app.inject(`/auctions/${auction}.json`)).json());
  expect(told.participants[0]?.results[0]?.text).toBe("Skipped: predicted no fill, as in 98% of such requests");
  expect(told.imps[0]?.sentence).toBe("This banner request got no ad: no partner bid.");
});

test("it is tried in other countries, in tests, and where the app's owner has not switched skips on", async () => {
  expect(await tries(5, {}, "81.2.69.142")).toBe(5);
  expect(await tries(5, { test: 1 })).toBe(5);
  await pool.query("UPDATE apps SET skips_partners = false WHERE id = $1", [at.app.id]);
  await at.exchange.exchange.reloadConfig();
  expect(await tries(5)).toBe(5);
});

test("an outcome is kept with the line item and the device of its own step, and a forged or borrowed one is not kept", async () => {
  await learn({});
  const { steps, ads } = await ask();
  const [step] = steps ?? [];
  if (step?.type !== "adapter") throw new Error("the answer has the adapter's step");
  expect(ads).toEqual([]);
  const tokenOf = (url: string) => new URL(url).searchParams.get("t") ?? "";
  const player = tokenOf(step.beacons.player);
  const outcomeOf = (token: string) => ({ type: "step", token, outcome: "no_fill" });
  const reply = await post(at.exchange, "/sdk/v1/events", {
    events: [
      ...Array.from({ length: 200 }, (_, nth) => outcomeOf(`${player.slice(0, -4)}${String(nth).padStart(4, "0")}`)),
      outcomeOf(tokenOf(step.beacons.impression)),
      outcomeOf(player),
      outcomeOf(player),
    ],
  });
  const results = reply.json<{ results: { code?: string }[] }>().results;
  expect(results.filter(({ code }) => code === "forged")).toHaveLength(201);
  await at.exchange.rows("player_events");
  const kept = await at.stores.clickhouse.read.query({
    query: "SELECT * FROM line_steps FINAL",
    format: "JSONEachRow",
  });
  expect(await kept.json()).toMatchObject([
    {
      app_id: at.app.id,
      line_item_id: item,
      outcome: "no_fill",
      country: "US",
      device: expect.stringMatching(/^\d{5,}$/),
    },
  ]);
});
