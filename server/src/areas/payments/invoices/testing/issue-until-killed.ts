import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { issueDue } from "../issue-documents.ts";
import { AN_ISSUER } from "./some-invoices.ts";

// A process that issues documents, for tests: it kills itself right before or after the statement whose number it is given.

const [url = "", nowText = "", dieText = "0", after = ""] = process.argv.slice(2);
const dieAt = Number(dieText);
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

const nowMs = Date.parse(nowText);
await issueDue({ pool, clock: { now: () => nowMs }, demo: false, onIssued: async () => {} }, AN_ISSUER);
await pause(0);
process.stdout.write(String(statements));
await pool.end();
