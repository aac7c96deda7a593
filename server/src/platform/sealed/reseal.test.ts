import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Log } from "../log.ts";
import { testPostgres } from "../testing/stores.ts";
import { resealColumns, resealing } from "./reseal.ts";
import { sealer } from "./sealer.ts";

const OLD = "the old secret of at least 32 bytes";
const NEW = "the new secret of at least 32 bytes";
const old = sealer([OLD]);
const both = sealer([NEW, OLD]);
const fresh = sealer([NEW]);
const lost = sealer(["a secret that is lost, of 32 bytes or more"]);
const ROWS = 250;

const { pool } = await testPostgres();
const column = { table: "things", key: ["part", "id"], column: "sealed", purpose: "things" };
const deps = { pool, sealer: both, columns: [column] };

/** Ends the connection of an update, as the death of its process does. */
const DIE = `CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$`;
beforeAll(() => pool.query(DIE));
beforeEach(async () => {
  await pool.query("DROP TABLE IF EXISTS things");
  await pool.query("CREATE TABLE things (part text, id integer, sealed bytea, PRIMARY KEY (part, id))");
  const ids = Array.from({ length: ROWS }, (_, id) => id);
  await pool.query("INSERT INTO things SELECT 'a', * FROM unnest($1::integer[], $2::bytea[])", [
    ids,
    ids.map((id) => old.seal(`thing ${id}`, "things")),
  ]);
  await pool.query("INSERT INTO things VALUES ('a', 1000, NULL)");
});

async function values() {
  const { rows } = await pool.query<{ id: number; sealed: Buffer }>(
    "SELECT id, sealed FROM things WHERE sealed IS NOT NULL ORDER BY part, id",
  );
  return rows;
}
const isFresh = ({ sealed }: { sealed: Buffer }) => sealed.subarray(0, 5).equals(fresh.newestHead);
const write = (id: number, sealed: Buffer) => pool.query("UPDATE things SET sealed = $2 WHERE id = $1", [id, sealed]);

test("every value of an older secret is sealed with the newest, and then the older one opens nothing", async () => {
  expect(await resealColumns(deps)).toEqual({ old: ROWS, unreadable: [] });
  const after = await values();
  expect(after.map(({ sealed }) => fresh.open(sealed, "things"))).toEqual(after.map(({ id }) => `thing ${id}`));
  expect(await resealColumns(deps)).toEqual({ old: 0, unreadable: [] });
  expect(await values()).toEqual(after);
});

test("a pass whose process dies leaves each value readable, and the next one does the rest", async () => {
  await pool.query(
    "CREATE TRIGGER dies BEFORE UPDATE ON things FOR EACH ROW WHEN (OLD.id = 120) EXECUTE FUNCTION die()",
  );
  await expect(resealColumns(deps)).rejects.toThrow("terminating connection");
  const halfway = await values();
  expect(halfway.filter(isFresh)).toHaveLength(120);
  expect(halfway.map(({ sealed }) => both.open(sealed, "things"))).toEqual(halfway.map(({ id }) => `thing ${id}`));
  await pool.query("DROP TRIGGER dies ON things");
  expect(await resealColumns(deps)).toEqual({ old: ROWS - 120, unreadable: [] });
});

test("a value that changes meanwhile stays as changed, and the next pass finds it", async () => {
  const other = await pool.connect();
  await other.query("BEGIN");
  await other.query("UPDATE things SET sealed = $1 WHERE id = 7", [old.seal("changed", "things")]);
  const pass = resealColumns(deps);
  await vi.waitFor(
    async () => {
      const { rows } = await pool.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      expect(rows).not.toHaveLength(0);
    },
    { timeout: 20_000 },
  );
  await other.query("COMMIT");
  other.release();
  await pass;
  const seven = async () => (await values())[7]?.sealed ?? Buffer.of();
  expect(old.open(await seven(), "things")).toBe("changed");
  expect(await resealColumns(deps)).toEqual({ old: 1, unreadable: [] });
  expect(fresh.open(await seven(), "things")).toBe("changed");
});

test("several processes may seal again at once", async () => {
  await Promise.all([resealColumns(deps), resealColumns(deps), resealColumns(deps)]);
  const after = await values();
  expect(after.map(({ sealed }) => fresh.open(sealed, "things"))).toEqual(after.map(({ id }) => `thing ${id}`));
});

/** Seals again until nothing of an older secret is left, and returns what the log says. */
async function logOf(hasOlderSecrets: boolean) {
  const [info, warn, error] = [vi.fn<Log["info"]>(), vi.fn<Log["warn"]>(), vi.fn<Log["error"]>()];
  const work = resealing({ ...deps, hasOlderSecrets, log: { info, warn, error }, pauseMs: 1 });
  await work.start();
  await vi.waitFor(() => expect(info.mock.calls.length + error.mock.calls.length).toBeGreaterThan(0), {
    timeout: 20_000,
  });
  await work.stop();
  return { info: info.mock.calls, warn: warn.mock.calls, error: error.mock.calls };
}
const DONE = "no stored value needs an older secret any more";

test("the log says when the older secrets are needed no more, and a failed pass is tried again", async () => {
  // A sequence keeps what it has counted when the connection is lost.
  await pool.query("CREATE SEQUENCE updates");
  await pool.query(`CREATE TRIGGER dies BEFORE UPDATE ON things FOR EACH ROW WHEN (nextval('updates') = 200)
    EXECUTE FUNCTION die()`);
  const { info, warn, error } = await logOf(true);
  expect([info.map(([, text]) => text), warn.length, error]).toEqual([[DONE], 1, []]);
  expect((await values()).every(isFresh)).toBe(true);
});

test("values that no secret opens stay, and the log names their rows without a byte of them", async () => {
  const cut = old.seal("damaged", "things").subarray(0, -1);
  const [strange, other] = [lost.seal("strange", "things"), old.seal("strange", "other things")];
  for (const [id, sealed] of [strange, cut, other].entries()) await write(id, sealed);
  const { info, error } = await logOf(true);
  expect((await values()).slice(0, 3).map(({ sealed }) => sealed)).toEqual([strange, cut, other]);
  expect(error).toEqual([
    [
      { table: "things", column: "sealed", count: 3, keys: ["a 0", "a 1", "a 2"] },
      "sealed values cannot be opened: their secret is not configured, or they were changed",
    ],
  ]);
  expect(info).toEqual([[{ resealed: ROWS - 3 }, DONE]]);
});

test("with one secret there is nothing to tell but of values that it does not open", async () => {
  await pool.query("DELETE FROM things WHERE id > 0");
  await write(0, lost.seal("strange", "things"));
  const { info, error } = await logOf(false);
  expect([info, error.map(([what]) => what)]).toEqual([
    [],
    [{ table: "things", column: "sealed", count: 1, keys: ["a 0"] }],
  ]);
});
