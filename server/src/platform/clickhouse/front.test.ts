import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { ClickHouseLogLevel, createClient, TupleParam } from "@clickhouse/client";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testClickHouse } from "../testing/stores.ts";
import { connectClickHouse } from "./connect-clickhouse.ts";
import { startChdb, type EmbeddedChdb } from "./start-chdb.ts";

const clickhouse = await testClickHouse();
const { read, write } = clickhouse;
const secretless = new URL(clickhouse.url);
secretless.password = "wrong";

beforeAll(async () => {
  await write.command({ query: "CREATE TABLE t (a UInt64, s String) ENGINE = MergeTree ORDER BY a" });
});

const rowsOf = async (query: string, query_params: Record<string, unknown> = {}): Promise<unknown[]> => {
  const result = await read.query({ query, query_params, format: "JSONEachRow" });
  return result.json();
};

test("the official client's ping succeeds, by path and by query", async () => {
  expect(await read.ping()).toEqual({ success: true });
  expect(await write.ping({ select: true })).toEqual({ success: true });
});

test("without the secret of this start nothing is answered but /ping", async () => {
  const stranger = connectClickHouse(secretless.href, { retryDeadlineMs: 0 });
  const refused = { code: "516", type: "AUTHENTICATION_FAILED" };
  await expect(stranger.read.query({ query: "SELECT 1" })).rejects.toMatchObject(refused);
  await expect(stranger.write.command({ query: "DROP TABLE t" })).rejects.toMatchObject(refused);
  await expect(stranger.write.insert({ table: "t", values: [{ a: 1 }], format: "JSONEachRow" })).rejects.toMatchObject(
    refused,
  );
  await stranger.close();
});

test("errors arrive as ClickHouseError with code, type and the engine's message", async () => {
  await expect(rowsOf("SELECT nope FROM t")).rejects.toMatchObject({
    name: "Error",
    code: "47",
    type: "UNKNOWN_IDENTIFIER",
    message: expect.stringContaining("nope"),
  });
  await expect(rowsOf("SELECT 1 FROM missing")).rejects.toMatchObject({ code: "60", type: "UNKNOWN_TABLE" });
  await expect(rowsOf("SELECT FROM WHERE")).rejects.toMatchObject({ type: "SYNTAX_ERROR" });
  const unknown = read.query({ query: "SELECT 1", clickhouse_settings: { nothing_like_it: 1 } });
  await expect(unknown).rejects.toMatchObject({ code: "115", type: "UNKNOWN_SETTING" });
  const badRow = write.insert({ table: "t", values: [{ a: "x" }], format: "JSONEachRow" });
  await expect(badRow).rejects.toMatchObject({
    code: expect.stringMatching(/\d+/),
    message: expect.stringContaining("at row"),
  });
  const unknownField = write.insert({ table: "t", values: [{ b: 1 }], format: "JSONEachRow" });
  await expect(unknownField).rejects.toMatchObject({ code: "117", type: "INCORRECT_DATA" });
});

test("rows go in as arrays, streams, raw text and compressed, and come out again", async () => {
  await write.command({ query: "CREATE TABLE ways (a UInt64, s String) ENGINE = MergeTree ORDER BY a" });
  const into = { table: "ways" };
  await write.insert({ ...into, values: [{ a: 1, s: "é'\\\n\t\"" }], format: "JSONEachRow" });
  await write.insert({
    ...into,
    values: Readable.from([
      { a: 2, s: "stream" },
      { a: 3, s: "" },
    ]),
    format: "JSONEachRow",
  });
  await write.insert({ ...into, values: [[4, "compact"]], format: "JSONCompactEachRow", columns: ["a", "s"] });
  await write.insert({ ...into, values: Readable.from('5,"c,s"\n', { objectMode: false }), format: "CSV" });
  await write.insert({
    ...into,
    values: [
      ["a", "s"],
      [6, "names"],
    ],
    format: "JSONCompactEachRowWithNames",
  });
  await write.insert({ ...into, values: [{ a: 7 }], format: "JSONEachRow", columns: { except: ["s"] } });
  await write.insert({ ...into, values: [], format: "JSONEachRow" });
  await write.command({ query: "INSERT INTO ways SELECT 8, 'select'" });
  await write
    .exec({ query: "INSERT INTO ways FORMAT TSV", values: Readable.from("9\ttsv\n", { objectMode: false }) })
    .then(({ stream }) => stream.resume());
  const found = (await rowsOf("SELECT a, s FROM ways ORDER BY a")) as { a: string; s: string }[];
  expect(found.map((row) => row.a)).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  expect(found.map((row) => row.s)).toEqual([
    "é'\\\n\t\"",
    "stream",
    "",
    "compact",
    "c,s",
    "names",
    "",
    "select",
    "tsv",
  ]);
});

test("gzip works in both directions", async () => {
  const url = new URL(clickhouse.url);
  const socketPath = url.searchParams.get("socket") ?? "";
  url.search = "";
  const client = createClient({
    url,
    http_agent: new Agent(Object.assign({ keepAlive: true }, { socketPath })),
    compression: { request: true, response: true },
    log: { level: ClickHouseLogLevel.OFF },
  });
  const values = Array.from({ length: 5_000 }, (_, a) => ({ a, s: "the same again and again" }));
  await client.command({ query: "CREATE TABLE zipped AS t ENGINE = MergeTree ORDER BY a" });
  const { summary } = await client.insert({ table: "zipped", values, format: "JSONEachRow" });
  expect(summary?.written_rows).toBe("5000");
  const result = await client.query({ query: "SELECT a, s FROM zipped ORDER BY a", format: "JSONEachRow" });
  expect(result.response_headers["content-encoding"]).toBe("gzip");
  expect(await result.json()).toEqual(values.map(({ a, s }) => ({ a: String(a), s })));
  await client.close();
});

test("bound parameters arrive as they are, whatever they hold", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme" }),
      fc.array(fc.string()),
      fc.bigInt(0n, 2n ** 64n - 1n),
      async (s, list, n) => {
        const text = s.replaceAll("\0", "");
        const texts = list.map((item) => item.replaceAll("\0", ""));
        const rows = await rowsOf("SELECT {s:String} AS s, {list:Array(String)} AS list, {n:UInt64} AS n", {
          s: text,
          list: texts,
          n,
        });
        expect(rows).toEqual([{ s: text, list: texts, n: String(n) }]);
      },
    ),
    { numRuns: 60 },
  );
  const at = new Date("2025-03-04T05:06:07.089Z");
  const query = `SELECT {at:DateTime64(3)} AS at, {no:Nullable(String)} AS no, {yes:Bool} AS yes,
    {pair:Tuple(UInt8, String)} AS pair, {map:Map(String, UInt8)} AS map, {col:Identifier} AS col FROM (SELECT 1 AS x)`;
  const params = { at, no: null, yes: true, pair: new TupleParam([1, "a"]), map: new Map([["k", 2]]), col: "x" };
  expect(await rowsOf(query, params)).toEqual([
    { at: "2025-03-04 05:06:07.089", no: null, yes: true, pair: [1, "a"], map: { k: 2 }, col: 1 },
  ]);
});

test("parameters longer than an address go as a form", async () => {
  const list = Array.from({ length: 3_000 }, (_, n) => `value "${n}" --\r\n`);
  for (const use_multipart_params of [true, false]) {
    const result = await read.query({
      query: "SELECT length({list:Array(String)}) AS n, {list:Array(String)}[3] AS third",
      query_params: { list },
      format: "JSONEachRow",
      use_multipart_params,
    });
    expect(await result.json()).toEqual([{ n: "3000", third: 'value "2" --\r\n' }]);
  }
});

test("each request stands in its own database", async () => {
  const other = connectClickHouse(clickhouse.url, { database: "millrace" });
  const name = async (client: typeof read): Promise<unknown> => {
    const result = await client.query({ query: "SELECT currentDatabase() AS name", format: "JSONEachRow" });
    return (await result.json<{ name: string }>())[0]?.name;
  };
  const names = await Promise.all(Array.from({ length: 20 }, (_, n) => name(n % 2 === 0 ? read : other.read)));
  expect(names).toEqual(names.map((_, n) => (n % 2 === 0 ? clickhouse.database : "millrace")));
  await other.close();
});

test("a result larger than memory should hold is sent at the reader's pace", async () => {
  // 2 GB of text; the reader takes a little and goes.
  const result = await read.query({
    query: "SELECT number, repeat('x', 1000) AS s FROM numbers(2000000)",
    format: "JSONEachRow",
  });
  let rows = 0;
  for await (const part of result.stream()) {
    rows += part.length;
    await new Promise((done) => setTimeout(done, 5));
    if (rows > 2_000) break;
  }
  result.close();
  expect(rows).toBeGreaterThan(2_000);
});

test("a long request outlives the idle time of the client that used its socket before", async () => {
  await Promise.all([read.ping(), read.ping(), write.ping()]);
  // The client ends sockets that were idle for 2.5 s.
  expect(await write.command({ query: "SELECT sleep(2.9)" })).toHaveProperty("query_id");
});

test("many callers share the few connections in turn", async () => {
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => rowsOf("SELECT {n:UInt32} AS n, {n:UInt32} * 2 AS twice", { n })),
  );
  expect(answers).toEqual(Array.from({ length: 200 }, (_, n) => [{ n, twice: String(n * 2) }]));
});

test("binary formats, sessions and unreadable bodies are refused with a reason", async () => {
  const binary = write.exec({ query: "INSERT INTO t FORMAT RowBinary", values: Readable.from(Buffer.alloc(8)) });
  await expect(binary).rejects.toMatchObject({ code: "73", type: "UNKNOWN_FORMAT" });
  await expect(write.command({ query: "SELECT 1", session_id: "x" })).rejects.toMatchObject({ code: "48" });
  expect(
    await post("/?query=INSERT+INTO+t+FORMAT+JSONEachRow", Buffer.from("not gzip"), { "content-encoding": "gzip" }),
  ).toContain("cannot be read");
  expect(await post("/?query=SELECT+1", Buffer.alloc(0), { "content-encoding": "lzma" })).toContain("content encoding");
  expect(await post("/?readonly=2%20OR%200", Buffer.from("CREATE DATABASE never ENGINE = Atomic"))).toContain(
    "(READONLY)",
  );
  expect(await post("/?a%27%3D1%2Cb=1", Buffer.from("SELECT 1"))).toContain("UNKNOWN_SETTING");
  expect(await post("/", Buffer.from("   "))).toContain("Empty query");
});

/** A request that no client of ours would send. */
function post(path: string, body: Buffer, headers: Record<string, string> = {}): Promise<string> {
  const { username, password, searchParams } = new URL(clickhouse.url);
  const socketPath = searchParams.get("socket") ?? "";
  return new Promise((done, fail) => {
    const req = request({ socketPath, path, method: "POST", auth: `${username}:${password}`, headers }, (res) => {
      let text = "";
      res
        .setEncoding("utf8")
        .on("data", (part: string) => (text += part))
        .on("end", () => done(text));
    });
    req.once("error", fail).end(body);
  });
}

const dir = mkdtempSync(join(tmpdir(), "millrace-front-"));
let small: EmbeddedChdb | undefined;
afterAll(async () => {
  await small?.stop();
  rmSync(dir, { recursive: true, force: true });
});

test("a body above the cap is refused, compressed or not, and the store goes on", async () => {
  small = await startChdb({ dir, log: () => undefined, connections: 1, maxBodyBytes: 100_000 });
  const own = connectClickHouse(small.url);
  await own.write.command({ query: "CREATE TABLE t (s String) ENGINE = MergeTree ORDER BY s" });
  const values = [{ s: "x".repeat(200_000) }];
  await expect(own.write.insert({ table: "t", values, format: "JSONEachRow" })).rejects.toMatchObject({ code: "307" });
  await own.write.insert({ table: "t", values: [{ s: "fits" }], format: "JSONEachRow" });
  const result = await own.read.query({ query: "SELECT s FROM t", format: "JSONEachRow" });
  expect(await result.json()).toEqual([{ s: "fits" }]);
  await own.close();
});
