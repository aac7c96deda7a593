import { AGREEMENT_VERSION } from "@millrace/contract";
import { encodeTrace, traceOf } from "@millrace/auction";
import type { AuctionInput, PartnerResponse } from "@millrace/auction";
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import fixture from "../../../../packages/auction/fixtures/the-highest-bid-wins-and-pays-its-own-price.json" with { type: "json" };
import { testStores } from "../../platform/testing/stores.ts";
import { insertOwner } from "../accounts/index.ts";
import { latestAuctions } from "./showcase.ts";

const { pg, clickhouse } = await testStores();
const NOW = Date.UTC(2026, 10, 24, 12);
let now = NOW;
const input = fixture.input as unknown as AuctionInput;
const [response] = fixture.responses as PartnerResponse[];
const [partner] = input.participants;

/** The app of a demo account, a sample app in somebody's own account, or somebody's own app. */
async function newApp(kind: "demo" | "sample" | "own"): Promise<number> {
  const owner = await insertOwner(pg.pool, {
    email: `${randomUUID()}@example.com`,
    name: "Somebody",
    passwordHash: null,
    role: "owner",
    canApps: true,
    canCampaign: false,
    agreedVersion: AGREEMENT_VERSION,
    demo: kind === "demo",
  });
  const { rows } = await pg.pool.query<{ id: number }>(
    "INSERT INTO apps (account_id, name, bundle_id, platform, demo) VALUES ($1, 'App', 'a', 'android', $2) RETURNING id",
    [owner?.accountId, kind !== "own"],
  );
  return rows[0]?.id ?? 0;
}

/** Records an auction of four bidders. */
async function record(
  app: number,
  at: number,
  { version, durationMs = 1 }: { version?: number; durationMs?: number } = {},
): Promise<void> {
  const ids = ["a", "b", "c", "d"];
  const trace = traceOf(
    { ...input, at, participants: ids.map((id) => ({ ...partner, id }) as AuctionInput["participants"][number]) },
    ids.map((participantId) => ({ ...response, participantId }) as PartnerResponse),
  );
  const row = {
    at: new Date(at).toISOString().slice(0, 23).replace("T", " "),
    auction_id: randomUUID(),
    app_id: app,
    demo: 1,
  };
  const written = new TextDecoder().decode(encodeTrace(version ? ({ ...trace, version } as typeof trace) : trace));
  await clickhouse.write.insert({
    table: "auctions",
    format: "JSONEachRow",
    values: [{ ...row, duration_ms: durationMs }],
  });
  await clickhouse.write.insert({ table: "traces", format: "JSONEachRow", values: [{ ...row, trace: written }] });
}

test("the latest auctions of the demo's apps are shown, newest first, and nobody else's or older ones", async () => {
  const [demo, sample, own] = [await newApp("demo"), await newApp("sample"), await newApp("own")];
  await record(demo, NOW - 60_000);
  await record(demo, NOW - 30_000);
  await record(demo, NOW - 3_600_000);
  await record(own, NOW - 10_000);
  await record(sample, NOW - 5000);
  // By another version of the platform.
  await record(demo, NOW - 2000, { version: 99 });
  // It ended after its deadline.
  await record(demo, NOW - 1500, { durationMs: input.deadlineMs + 1 });
  const latest = latestAuctions({ pool: pg.pool, clickhouse: clickhouse.read, clock: { now: () => now } });
  const times = async () => (await latest()).map(({ at }) => Date.parse(at));
  expect(await times()).toEqual([NOW - 30_000, NOW - 60_000]);
  await record(demo, NOW - 1000);
  // Everybody gets the same answer for some seconds.
  expect(await times()).toHaveLength(2);
  now = NOW + 6000;
  expect(await times()).toEqual([NOW - 1000, NOW - 30_000, NOW - 60_000]);
});
