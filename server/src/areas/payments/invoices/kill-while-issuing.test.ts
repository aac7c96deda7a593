import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { issueDue } from "./issue-documents.ts";
import { AN_ISSUER, someInvoices } from "./testing/some-invoices.ts";

const { pool, url } = await testPostgres();
const NOW = "2026-10-05T09:00:00Z";

// A child that starts in a fifth of the time.
const dir = await mkdtemp(join(tmpdir(), "millrace-invoices-"));
afterAll(() => rm(dir, { recursive: true }));
const script = join(dir, "issue.mjs");
await build({
  entryPoints: [fileURLToPath(new URL("testing/issue-until-killed.ts", import.meta.url))],
  outfile: script,
  bundle: true,
  platform: "node",
  format: "esm",
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
});

/** Runs the child, and resolves with the number of its statements, or null if it was killed. */
async function issueInChild(...args: string[]): Promise<number | null> {
  const child = spawn(process.execPath, [script, url, NOW, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let written = "";
  child.stdout.on("data", (chunk: Buffer) => (written += chunk.toString()));
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  if (signal === "SIGKILL") return null;
  expect(code).toBe(0);
  return Number(written);
}

test(
  "killed before or after any statement, an issuer leaves no gap, no number twice and no refill without its one invoice",
  { timeout: 120_000 },
  async () => {
    const invoices = someInvoices(pool, NOW);
    const accountId = await invoices.newAccount();
    await invoices.bill(accountId);
    await invoices.refill(accountId, 1_000_000);
    const statements = (await issueInChild()) ?? 0;
    expect(statements).toBeGreaterThan(8);
    let refills = 1;
    // What is after a statement is before the next one; the last is the commit.
    const moments = Array.from({ length: statements }, (_, index) => [String(index + 1)]);
    for (const moment of [...moments, [String(statements), "after"]]) {
      await invoices.refill(accountId, 1_000_000);
      refills++;
      expect(await issueInChild(...moment)).toBeNull();
      const serials = await invoices.serials("invoice");
      expect(serials).toEqual(serials.map((_, index) => index + 1));
    }
    await issueDue(invoices.deps, AN_ISSUER);
    const { rows } = await pool.query<{ documents: number; refills: number; last: number }>(
      `SELECT count(*)::integer AS documents, count(DISTINCT posting_id)::integer AS refills,
       (SELECT last FROM invoice_numbers WHERE series = 'invoice') AS last FROM invoices`,
    );
    expect(rows[0]).toEqual({ documents: refills, refills, last: refills });
  },
);
