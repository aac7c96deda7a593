import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { somePayouts } from "./testing/some-payouts.ts";

const stores = await testStores();
const { pool } = stores.pg;
const ROUNDS = 100;
const PUBLISHERS = 3;

// A child that starts in a fifth of the time.
const dir = await mkdtemp(join(tmpdir(), "millrace-payouts-"));
afterAll(() => rm(dir, { recursive: true }));
const script = join(dir, "pay.mjs");
await build({
  entryPoints: [fileURLToPath(new URL("testing/pay-until-killed.ts", import.meta.url))],
  outfile: script,
  bundle: true,
  platform: "node",
  format: "esm",
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
});

type Standing = "pending" | "paid" | "returned";
/** What the provider really did, by payout: how often it was ordered, for how much, and what became of it, step by step. */
const ordered = new Map<string, { times: number; amount: number; history: Standing[] }>();
let child: ReturnType<typeof spawn> | undefined;
/** What the hostile provider does with a request, by turns; in the end it is honest. */
let turn = 0;
let isHonest = false;

/**
 * It pays whatever it is sent, as often as it is sent. It answers, keeps silent and hangs up, or kills who asked; it says 404 of an
 * order that it has taken, and what was true of it before.
 */
const provider = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { payoutId, amount } = JSON.parse(Buffer.concat(chunks).toString()) as { payoutId: string; amount: number };
    const answer = (reply: object) => response.end(JSON.stringify(reply));
    turn++;
    if (request.url === "/pay") {
      const kills = turn % 5 === 0;
      if (kills && turn % 2 === 0) {
        child?.kill("SIGKILL");
        return;
      }
      const was = ordered.get(payoutId);
      ordered.set(payoutId, { times: (was?.times ?? 0) + 1, amount, history: was?.history ?? ["pending"] });
      if (kills) child?.kill("SIGKILL");
      else if (turn % 3 === 0) response.destroy();
      else answer({ is: "accepted", reference: payoutId });
      return;
    }
    const history = ordered.get(payoutId)?.history;
    if (!isHonest && turn % 7 === 0) child?.kill("SIGKILL");
    else if (!history || (!isHonest && turn % 4 === 0)) response.writeHead(404).end();
    else {
      const standing = (isHonest ? history.at(-1) : history[turn % history.length]) ?? "pending";
      answer(standing === "returned" ? { is: "rejected", reason: "Returned" } : { is: standing, reference: payoutId });
    }
  });
});

/** The bank takes its time. One payment of five comes back after it was paid. */
function bankDecides(): void {
  for (const [nth, { history }] of [...ordered.values()].entries()) {
    const last = history.at(-1);
    if (last === "pending" && (isHonest || (turn + nth) % 2 === 0)) history.push("paid");
    else if (last === "paid" && nth % 5 === 4) history.push("returned");
  }
}

/** Its notices: of the oldest and the newest payments, twice, and neither in their order nor at their time. */
function notices(): string[] {
  const ids = [...ordered.keys()];
  const some = isHonest ? ids : [...ids.slice(0, 2), ...ids.slice(-3)].toReversed();
  return [...some, ...some];
}
provider.listen(0, "127.0.0.1");
await once(provider, "listening");
afterAll(() => void provider.close());
const providerUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;

/** Pays as a process of its own; resolves with the number of its statements, or null if it was killed. */
async function pay(at: string, dieAt: number, after: boolean): Promise<number | null> {
  bankDecides();
  const how = [at, String(dieAt), after ? "after" : "", notices().join(",")];
  child = spawn(process.execPath, [script, stores.pg.url, providerUrl, ...how], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, "exit")) as [number | null];
  return code === null ? null : Number(said);
}

test(`a process killed at any of its steps, ${ROUNDS} times, pays nobody twice and loses nothing`, async () => {
  const { newPublisher, earn } = somePayouts(pool, "2026-01-01T00:00:00Z");
  const accounts = await Promise.all(Array.from({ length: PUBLISHERS }, () => newPublisher()));
  const earned = new Map<number, number>();
  let [kills, day, month] = [0, 0, 0];
  let dieAt = 1;
  while (kills < ROUNDS) {
    // Every month the publishers earn, and the process is killed one step later each time, until it gets through.
    month++;
    const on = new Date(Date.UTC(2026, month, 15));
    for (const account of accounts) {
      const dollars = 10 + ((month * account) % 7);
      earned.set(account, (earned.get(account) ?? 0) + dollars);
      await earn(account, new Date(Date.UTC(2026, month, 0)).toISOString().slice(0, 10), dollars);
    }
    for (let runs = 0; runs < 60 && kills < ROUNDS; runs++) {
      day = Math.min(day + 1, 9);
      const at = new Date(on.getTime() + runs * 600_000).toISOString();
      const statements = await pay(at, dieAt, runs % 2 === 1);
      if (statements === null) {
        kills++;
        dieAt++;
      } else {
        dieAt = 1 + (kills % 13);
        break;
      }
    }
  }
  // Left alone, it ends what the killed ones began.
  isHonest = true;
  const after = new Date(Date.UTC(2026, month, 20));
  for (let runs = 0; runs < 12; runs++) await pay(new Date(after.getTime() + runs * 600_000).toISOString(), 0, false);

  expect(kills).toBeGreaterThanOrEqual(ROUNDS);
  expect([...ordered.values()].filter(({ times }) => times > 1)).toEqual([]);
  const { rows } = await pool.query<{ id: string; accountId: number; state: string; amount: string }>(
    `SELECT id, account_id AS "accountId", state, amount_micros AS amount FROM payouts`,
  );
  // Whatever reached the provider is here what it is there, for the same amount, and nothing else is.
  const inState = (...states: string[]) => rows.filter(({ state }) => states.includes(state));
  const ids = (some: typeof rows) => some.map(({ id }) => id).toSorted();
  const there = (standing: Standing) =>
    [...ordered].flatMap(([id, { history }]) => (history.at(-1) === standing ? [id] : [])).toSorted();
  expect(there("pending")).toEqual([]);
  expect(ids(inState("paid"))).toEqual(there("paid"));
  expect(ids(inState("rejected"))).toEqual(there("returned"));
  for (const { id, amount } of rows) if (ordered.has(id)) expect(Number(amount)).toBe(ordered.get(id)?.amount);
  // What never reached it, and nobody can know, waits for a person to say so.
  expect(inState("due", "sent")).toEqual([]);
  expect(Math.min(there("paid").length, there("returned").length)).toBeGreaterThan(0);

  const books = await pool.query<{ accountId: number; book: string; micros: string }>(
    `SELECT account_id AS "accountId", book, -sum(amount_micros) AS micros FROM ledger_lines
     WHERE account_id IS NOT NULL GROUP BY account_id, book`,
  );
  const inBook = (accountId: number, book: string) =>
    Number(books.rows.find((row) => row.accountId === accountId && row.book === book)?.micros ?? 0);
  for (const account of accounts) {
    const own = rows.filter(({ accountId }) => accountId === account);
    const sum = (of: typeof own) => of.reduce((total, { amount }) => total + Number(amount), 0);
    const all = (earned.get(account) ?? 0) * 1_000_000;
    expect(inBook(account, "publisher_balance")).toBe(all - sum(own.filter(({ state }) => state !== "rejected")));
    expect(inBook(account, "payouts_due")).toBe(sum(own.filter(({ state }) => state === "sending")));
  }
}, 600_000);
