import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { silentLog } from "../../../../platform/log.ts";
import { refreshPayouts } from "../order-payouts.ts";
import type { Ordered, Standing } from "../provider.ts";
import { followPayouts, runPayouts } from "../run-payouts.ts";

// A process that pays, for tests: it kills itself right before or after the statement whose number it is given, and asks
// the provider that the test serves over HTTP. The provider's notices come with its arguments: what it gets, it asks about.

const [url = "", providerUrl = "", nowText = "", dieText = "0", after = "", notices = ""] = process.argv.slice(2);
const dieAt = Number(dieText);
const nowMs = Date.parse(nowText);
const die = () => process.kill(process.pid, "SIGKILL");
const pool = new pg.Pool({ connectionString: url, max: 2 });

let statements = 0;
type Send = (...args: unknown[]) => unknown;
const query = pg.Client.prototype.query as unknown as Send;
/** Statements are counted where all of them pass: in the connection itself. */
pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
  const nth = ++statements;
  if (nth === dieAt && after === "") die();
  const reply = query.apply(this, args);
  if (nth === dieAt && reply instanceof Promise) void reply.then(die, die);
  return reply;
} as unknown as typeof pg.Client.prototype.query;

const post = async <T>(path: string, body: object): Promise<T> => {
  const reply = await fetch(providerUrl + path, { method: "POST", body: JSON.stringify(body) });
  // It knows no such order, as it says.
  if (reply.status === 404) return { is: "unknown" } as T;
  if (!reply.ok) throw new Error(`answered ${reply.status}`);
  return (await reply.json()) as T;
};

const deps: Parameters<typeof runPayouts>[0] = {
  pool,
  clock: { now: () => nowMs },
  log: silentLog,
  terms: { day: 15, minimumMicros: 1_000_000, demo: false },
  provider: {
    id: "sandbox",
    frameOrigin: providerUrl,
    frameAddress: async () => providerUrl,
    methodOf: async () => "Bank transfer ending 4417",
    pay: ({ payoutId, amountMicros }) =>
      post<Ordered>("/pay", { payoutId, amount: Number(amountMicros) }).catch((): Ordered => ({ is: "unknown" })),
    ask: (payoutId) => post<Standing>("/ask", { payoutId }),
  },
  onClaimed: async () => {},
  onPaid: async () => {},
  onRejected: async () => {},
  onMethodChanged: async () => {},
};

const gets = notices === "" ? [] : notices.split(",");
// The first half arrives before the run, the others after it.
for (const id of gets.slice(0, gets.length / 2)) await refreshPayouts(deps, id);
await runPayouts(deps);
await followPayouts(deps);
for (const id of gets.slice(gets.length / 2)) await refreshPayouts(deps, id);
await pause(0);
process.stdout.write(String(statements));
await pool.end();
