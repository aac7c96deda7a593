import { expect, test } from "vitest";
import { createLog, storeLines } from "./logger.ts";
import { testPostgres } from "./platform/testing/stores.ts";

const pg = await testPostgres();

test.each(["2026-01-01 UTC [1] LOG:  checkpoint complete", "2026-01-01 UTC [1] ERROR:  division by zero", ""])(
  "the log accepts %j from a store",
  (line) => {
    const take = storeLines(createLog("info"), "postgres");
    expect(() => take(line)).not.toThrow();
  },
);

test("what PostgreSQL says of connections that close while it is stopped is no news for who stopped it", () => {
  const lines: string[] = [];
  const take = storeLines(createLog("info", { write: (line) => void lines.push(line) }), "postgres");
  take("2026-01-01 UTC [1] FATAL:  terminating connection due to administrator command");
  take("2026-01-01 UTC [1] FATAL:  could not open file");
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    "2026-01-01 UTC [1] FATAL:  could not open file",
  ]);
});

test("the log has the reason why the store refused a row, but not its content", async () => {
  const row =
    "INSERT INTO tickets (salt_hash, type, email, created_at, expires_at) VALUES ('0a1b', $1, $2, now(), now())";
  const broken =
    "INSERT INTO tickets (salt_hash, type, email, payload) VALUES ('0a1b', 'sign_up', 'ada@example.com', $1)";
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  const refused = await Promise.allSettled([
    pg.pool.query(row, ["sold", "ada@example.com"]),
    pg.pool.query(broken, ['{"passwordHash": "0a1b", "redirectTo": "\\ud800"}']),
  ]);
  for (const one of refused) log.error({ err: one.status === "rejected" ? (one.reason as unknown) : null }, "failed");
  expect(lines.join()).toContain("tickets_type_check");
  expect(lines.join()).toContain("invalid input syntax for type json");
  expect(lines.map((line) => (JSON.parse(line) as { err: { code: string } }).err.code)).toEqual(["23514", "22P02"]);
  expect(lines.join()).not.toMatch(/0a1b|ada@/);
});

test("error codes are logged, and one-time codes are not", () => {
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  log.info({ err: Object.assign(new Error("away"), { code: "ECONNREFUSED" }) }, "failed");
  log.info({ err: Object.assign(new Error("wrong"), { code: "123456" }) }, "failed");
  log.info({ code: "ABCDE", given: { code: "ABCDE", otp_code: "654321", recovery_code: "ABCDE" } }, "entered");
  expect(lines[0]).toContain('"code":"ECONNREFUSED"');
  expect(lines.slice(1).join()).not.toMatch(/"123456"|ABCDE|654321/);
});
