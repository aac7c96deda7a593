import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Session } from "chdb";
import { afterAll, describe, expect, test } from "vitest";
import { testClickHouse } from "../testing/stores.ts";
import { startChdb } from "./start-chdb.ts";
import { connectClickHouse } from "./connect-clickhouse.ts";

// Each trap of the engine as a library, shown on the engine itself ("raw"), and its remedy, shown through our front.
const { read, write } = await testClickHouse();
const dir = mkdtempSync(join(tmpdir(), "millrace-traps-"));
const raw = new Session(join(dir, "raw"));
afterAll(() => {
  raw.close();
  rmSync(dir, { recursive: true, force: true });
});

const lines = async (query: string, settings = {}): Promise<unknown[]> => {
  const result = await read.query({ query, format: "JSONEachRow", clickhouse_settings: settings });
  return result.json();
};
const rawText = async (query: string): Promise<string> => (await raw.queryAsync(query)).text().trim();
const oneRow = Buffer.from('{"a":1}\n');

describe("1. the rows of a query that failed in mid-output", () => {
  const failing = "SELECT throwIf(number > 200000) FROM numbers(300000) SETTINGS max_block_size = 1000";

  test("raw: are put before the result of the next query", async () => {
    await expect(raw.queryAsync(failing, { format: "TSV" })).rejects.toThrow("throwIf");
    expect(await rawText("SELECT 5")).not.toBe("5");
    expect(await rawText("SELECT 5")).toBe("5");
  });

  test.for(["TabSeparated", "JSONEachRow", "JSON"] as const)("never reach another query (%s)", async (format) => {
    // More failures than there are connections, so that each of them has failed before.
    for (let round = 0; round < 6; round += 1) {
      const attempt = write.query({ query: failing, format }).then((result) => result.text());
      if (format === "JSON") await expect(attempt).rejects.toMatchObject({ code: "395" });
      else await expect(attempt.catch(String)).resolves.toContain("throwIf");
    }
    const answers = Array.from({ length: 20 }, async (_, n) => {
      const result = await write.query({ query: `SELECT ${n} AS n`, format: "JSONEachRow" });
      return result.json();
    });
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 20 }, (_, n) => [{ n }]));
  });

  test("hold no query in the engine's list, and so none of its memory", async () => {
    await Promise.all(Array.from({ length: 12 }, () => lines(failing).catch(() => undefined)));
    await expect
      .poll(() => lines("SELECT 1 FROM system.processes WHERE query LIKE '%300000%' AND is_initial_query"))
      .toHaveLength(1);
  });

  test("are a late error for the official client, not a short result", async () => {
    await expect(lines("SELECT throwIf(number > 200000) AS x FROM numbers(300000)")).rejects.toMatchObject({
      code: "395",
    });
  });
});

describe("2. settings sent beside a query", () => {
  test("raw: stay, and a token left behind silently drops a later insert", async () => {
    await raw.queryAsync("CREATE DATABASE leak ENGINE = Atomic");
    await raw.queryAsync(
      "CREATE TABLE leak.t (a Int32) ENGINE = MergeTree ORDER BY a SETTINGS non_replicated_deduplication_window = 100",
    );
    await raw.queryAsync("SET insert_deduplication_token = 'left-behind'");
    await raw.insert({ table: "leak.t", values: oneRow, format: "JSONEachRow" });
    await raw.insert({ table: "leak.t", values: Buffer.from('{"a":2}\n'), format: "JSONEachRow" });
    expect(await rawText("SELECT count() FROM leak.t")).toBe("1");
    await raw.queryAsync("SET insert_deduplication_token = ''");
  });

  test("end with their query: no later insert is dropped, no later query sees them", async () => {
    await write.command({
      query:
        "CREATE TABLE tokens (a Int32) ENGINE = MergeTree ORDER BY a SETTINGS non_replicated_deduplication_window = 100",
    });
    for (let a = 0; a < 10; a += 1) {
      const settings = a % 2 === 0 ? { insert_deduplication_token: "same" } : {};
      await write.insert({ table: "tokens", values: [{ a }], format: "JSONEachRow", clickhouse_settings: settings });
    }
    expect(
      await lines(
        "SELECT count() AS n, groupUniqArray(getSetting('insert_deduplication_token')) AS tokens FROM tokens",
      ),
    ).toEqual([{ n: "6", tokens: [""] }]);
    for (let round = 0; round < 6; round += 1) {
      expect(await lines("SELECT getSetting('max_threads') AS n", { max_threads: 7 })).toEqual([{ n: 7 }]);
      expect(await lines("SELECT getSetting('max_threads') != 7 AS other")).toEqual([{ other: 1 }]);
    }
    await write.command({ query: "SET max_block_size = 17" });
    const blocks = Array.from({ length: 12 }, async () => {
      const result = await write.query({ query: "SELECT getSetting('max_block_size') AS n", format: "JSONEachRow" });
      return result.json<{ n: string }>();
    });
    expect((await Promise.all(blocks)).flat().map((row) => row.n)).not.toContain("17");
  });

  test("so do bound parameters: a query that forgets one fails instead of getting an older one", async () => {
    for (let round = 0; round < 6; round += 1) {
      const bound = await read.query({
        query: "SELECT {who:String} AS who",
        query_params: { who: "an account" },
        format: "JSONEachRow",
      });
      expect(await bound.json()).toEqual([{ who: "an account" }]);
    }
    await expect(lines("SELECT {who:String} AS who")).rejects.toMatchObject({ type: "UNKNOWN_QUERY_PARAMETER" });
  });
});

describe("3. one connection", () => {
  const half = "SELECT sleep(0.5)";

  test("raw: runs its queries one after the other", async () => {
    const began = performance.now();
    await Promise.all([raw.queryAsync(half), raw.queryAsync(half)]);
    expect(performance.now() - began).toBeGreaterThan(950);
  });

  test("is one of four for reading: four queries take the time of one", async () => {
    const began = performance.now();
    await Promise.all(Array.from({ length: 4 }, () => lines(half)));
    expect(performance.now() - began).toBeLessThan(1_900);
  });
});

describe("4. a query nobody waits for", () => {
  const endless = "SELECT sum(sipHash64(number, number)) AS n FROM numbers(1000000000000)";
  const running = async (mark: string): Promise<number> =>
    (await lines(`SELECT 1 FROM system.processes WHERE query LIKE '%${mark}%' AND query NOT LIKE '%processes%'`))
      .length;

  test("raw: has no time limit, and goes on after an abort", async () => {
    expect(await rawText("SELECT getSetting('max_execution_time')")).toBe("0");
    const aborted = raw.queryAsync("SELECT sleep(1.5)", { signal: AbortSignal.timeout(50) });
    await expect(aborted).rejects.toThrow(/abort/i);
    const began = performance.now();
    await rawText("SELECT 1");
    expect(performance.now() - began).toBeGreaterThan(1_000);
  });

  test("is ended when its client goes away", async () => {
    const controller = new AbortController();
    const query = read.query({ query: `${endless} -- gone`, format: "JSON", abort_signal: controller.signal });
    await expect.poll(() => running("gone")).toBe(1);
    controller.abort();
    await expect(query).rejects.toThrow("abort");
    await expect.poll(() => running("gone"), { timeout: 2_000 }).toBe(0);
  });

  test("is ended whenever its client goes away, also before the engine has begun with it", async () => {
    const gone = Array.from({ length: 40 }, async (_, n) => {
      const abort_signal = AbortSignal.timeout(n * 5);
      await read.query({ query: `${endless} -- early`, format: "JSON", abort_signal }).catch(() => undefined);
    });
    await Promise.all(gone);
    await expect.poll(() => running("early"), { timeout: 2_000 }).toBe(0);
    expect(await lines("SELECT 1 AS n")).toEqual([{ n: 1 }]);
  });

  test("is ended while its output is being read", async () => {
    const result = await read.query({
      query: "SELECT number FROM numbers(1000000000000) -- cut",
      format: "JSONEachRow",
    });
    for await (const rows of result.stream()) if (rows.length > 0) break;
    result.close();
    await expect.poll(() => running("cut"), { timeout: 2_000 }).toBe(0);
  });

  test("is ended at its time limit, the connection's or its own", async () => {
    expect(await lines("SELECT toUInt32(getSetting('max_execution_time')) AS s")).toEqual([{ s: 30 }]);
    const limited = lines(endless, { max_execution_time: 1 });
    await expect(limited).rejects.toMatchObject({ code: "159", type: "TIMEOUT_EXCEEDED" });
  });
});

describe("5. the files of the machine", () => {
  const secret = join(dir, "secret.txt");
  writeFileSync(secret, "do not read\n");

  test("raw: SQL reads and writes them, file() even where readonly=1 is set", async () => {
    const readonly = new Session(join(dir, "raw"), { connectionArgs: ["--readonly=1"] });
    expect(await rawText(`SELECT * FROM file('${secret}', 'LineAsString')`)).toContain("do not read");
    expect((await readonly.queryAsync(`SELECT file('${secret}')`)).text()).toContain("do not read");
    await readonly.queryAsync(`SELECT 1 INTO OUTFILE '${join(dir, "written")}'`);
    expect(rmSync(join(dir, "written"))).toBeUndefined();
    readonly.close();
  });

  test.for([
    `SELECT * FROM file('${secret}', 'LineAsString')`,
    `SELECT file('${secret}')`,
    `SELECT \`file\`('${secret}')`,
    `SELECT "file" /* not so fast */ ('${secret}')`,
    `SELECT 'it''s', "file"('${secret}')`,
    `SELECT arrayMap(file, ['${secret}'])`,
    `DESCRIBE TABLE file('${secret}', 'LineAsString')`,
    `SELECT * FROM s3('http://127.0.0.1:1/bucket/key.csv', 'CSV')`,
    `SELECT * FROM executable('id', 'LineAsString', 'a String')`,
    `SELECT 1 FORMAT Template SETTINGS format_template_row = '${secret}'`,
    `SELECT * FROM \`${secret}\``,
    `SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')`,
    `SELECT 1 INTO OUTFILE '${join(dir, "out")}'`,
    `SELECT 1 /**/ into -- comment\n OutFile '${join(dir, "out")}'`,
    `SELECT 1; SELECT file('${secret}')`,
    `INSERT INTO FUNCTION file('${join(dir, "out")}') SELECT 1`,
    `CREATE TABLE t (a Int8) ENGINE = Memory`,
    `SET readonly = 0`,
    `KILL QUERY WHERE 1 ASYNC`,
  ])("are out of reach of a reading connection: %s", async (query) => {
    const attempt = read.exec({ query, clickhouse_settings: { readonly: "1" } }).then(({ stream }) => stream.toArray());
    await expect(attempt).rejects.toMatchObject({ type: expect.stringMatching(/READONLY|SYNTAX_ERROR|UNKNOWN_TABLE/) });
  });

  test.for(["SELECT 'file(' AS x", "SELECT 1 AS files -- file", "SELECT 'a;b' AS x;", "SELECT 'into outfile' AS x"])(
    "are not seen where there are none: %s",
    async (query) => {
      expect(await (await read.exec({ query })).stream.toArray()).not.toEqual([]);
    },
  );

  test("are out of reach of a writing connection where a statement would only run in a local program", async () => {
    await expect(write.command({ query: `SELECT 1 INTO OUTFILE '${join(dir, "out")}'` })).rejects.toMatchObject({
      code: "62",
    });
  });
});

describe("7. leaving while a query runs", () => {
  const slow = "SELECT sum(sipHash64(number, number)) FROM numbers(1000000000000)";

  test("raw: waits for the query", async () => {
    const chdb = createRequire(import.meta.url).resolve("chdb");
    const program = `const { Session } = require(${JSON.stringify(chdb)});
      const session = new Session(${JSON.stringify(join(dir, "leaving"))});
      session.queryAsync("${slow} SETTINGS max_execution_time = 3").catch(() => {});
      setTimeout(() => { process.send("leaving"); process.exit(0) }, 300);`;
    const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
    await once(child, "message");
    const began = performance.now();
    await once(child, "exit");
    expect(performance.now() - began).toBeGreaterThan(1_500);
  });

  test("ends the query first", async () => {
    const own = await startChdb({ dir: join(dir, "own"), log: () => undefined });
    const client = connectClickHouse(own.url, { retryDeadlineMs: 0 });
    const query = client.read.query({ query: slow, format: "JSON" }).catch(String);
    await expect
      .poll(async () => {
        const found = await client.read.query({ query: "SELECT query FROM system.processes", format: "JSONEachRow" });
        return JSON.stringify(await found.json());
      })
      .toContain("sipHash64(number");
    const began = performance.now();
    await own.stop();
    expect(performance.now() - began).toBeLessThan(4_000);
    await query;
    await client.close();
  });
});
