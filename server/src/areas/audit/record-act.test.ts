import { expect, test } from "vitest";
import type { FastifyRequest } from "fastify";
import { testPostgres } from "../../platform/testing/stores.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { type Act, recordAct } from "./index.ts";

const pg = await testPostgres();
const clock = { now: () => Date.now() };
const record = (by: { request?: FastifyRequest }, act: Act) =>
  inTransaction(pg.pool, (client) => recordAct({ pool: client, clock }, by, act));

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["2001:db8::7", "2001:db8::7"],
  // A link-local address with its interface.
  ["fe80::1%eth0", "fe80::1"],
  // Values that a proxy may pass on in X-Forwarded-For.
  ["192.0.2.7:4711", null],
  ["unknown", null],
  ["", null],
])("an act from %j is recorded with the address %j", async (ip, address) => {
  const request = { ip } as FastifyRequest;
  const action = `tried from ${ip}`;
  await record({ request }, { action });
  const { rows } = await pg.pool.query("SELECT host(address) AS address FROM audit_log WHERE action = $1", [action]);
  expect(rows).toEqual([{ address }]);
});

test("the log is append-only", async () => {
  await record({}, { action: "to stay" });
  for (const sql of ["UPDATE audit_log SET action = ''", "DELETE FROM audit_log", "TRUNCATE audit_log"])
    await expect(pg.pool.query(sql)).rejects.toThrow("audit_log is only added to");
});

test("the entry of a failed act is rolled back", async () => {
  const failing = inTransaction(pg.pool, async (client) => {
    await recordAct({ pool: client, clock }, {}, { action: "to fall" });
    throw new Error("the act has failed");
  });
  await expect(failing).rejects.toThrow("the act has failed");
  expect((await pg.pool.query("SELECT FROM audit_log WHERE action = 'to fall'")).rowCount).toBe(0);
});
