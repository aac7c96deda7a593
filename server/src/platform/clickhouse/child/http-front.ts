import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { ConnectionPool, type Lease } from "./connection-pool.ts";
import type { Connection, Engine } from "./engine.ts";
import { asException, Exception, httpStatus } from "./exception.ts";
import { insertData } from "./insert-data.ts";
import { killOnAbort } from "./kill-on-abort.ts";
import { contentType, isStreamable, outputFormat } from "./output-format.ts";
import { readQueryRequest, type QueryRequest } from "./read-request.ts";
import { customSettings, prepare, runQuery } from "./run-query.ts";
import { refusal, sqlWords, statementKind } from "./sql-words.ts";

export type FrontOptions = {
  engine: Engine;
  user: string;
  secret: string;
  /** Connections for statements that write, and as many read-only ones. */
  connections: number;
  maxBodyBytes: number;
};

/**
 * The part of ClickHouse's HTTP interface that its official client uses: ping, queries with bound parameters and
 * settings, commands, inserts; https://clickhouse.com/docs/interfaces/http.
 */
export function createFront(options: FrontOptions): Server {
  const pools = {
    write: new ConnectionPool(options.engine, { readonly: false, size: options.connections }),
    read: new ConnectionPool(options.engine, { readonly: true, size: options.connections }),
  };
  const server = createServer({ maxHeaderSize: 1024 * 1024, keepAliveTimeout: 60_000 }, (req, res) => {
    // Any reply to a request that broke off fails on its own.
    res.on("error", () => undefined);
    void answer(req, res).catch((error: unknown) => fail(res, asException(error)));
  });
  server.on("close", () => {
    pools.write.close();
    pools.read.close();
  });

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? "/", "http://embedded");
    if (url.pathname === "/ping") return void res.end("Ok.\n");
    if (!isAllowed(req, options)) {
      throw new Exception(
        516,
        "AUTHENTICATION_FAILED",
        `${options.user}: Authentication failed: password is incorrect, or there is no user with such name`,
      );
    }
    const aborted = new AbortController();
    res.once("close", () => {
      if (!res.writableFinished) aborted.abort();
    });
    const request = await readQueryRequest(req, url, options.maxBodyBytes);
    const words = sqlWords(request.sql);
    // Anything but a plain no closes it: better a refused write than a query that should only have read.
    const readonly = (request.settings.get("readonly") ?? (req.method === "GET" ? "1" : "0")) !== "0";
    if (readonly) request.settings.set("readonly", "1");
    const refused = refusal(words, readonly);
    if (refused !== undefined) throw refused;
    if (aborted.signal.aborted) return;
    const lease = await pools[readonly ? "read" : "write"].acquire(aborted.signal);
    await serve(lease, request, words, readonly, { req, res, aborted: aborted.signal });
  }

  async function serve(
    lease: Lease,
    request: QueryRequest,
    words: readonly string[],
    readonly: boolean,
    http: { req: IncomingMessage; res: ServerResponse; aborted: AbortSignal },
  ): Promise<void> {
    let clean = false;
    try {
      const kind = statementKind(words);
      const settings = customSettings(request, readonly);
      if (kind === "insert-data") {
        const connection = lease.connection({ fresh: false });
        await prepare(connection, request, words, { settings: new Map(), readonly });
        const written = await insertData(connection, request.sql, request.data ?? Buffer.alloc(0), settings);
        clean = true;
        http.res.writeHead(200, headers(request, { written_rows: written.rows, written_bytes: written.bytes })).end();
        return;
      }
      // What is neither a plain read nor rows may change the connection itself (SET, USE, temporary tables).
      const connection = lease.connection({ fresh: kind === "other" || settings.size > 0 });
      await prepare(connection, request, words, { settings, readonly });
      const sql = request.data === undefined ? request.sql : `${request.sql}\n${request.data.toString("utf8")}`;
      clean = await send(options.engine, connection, sql, request, words, http);
    } finally {
      await lease.release({ clean });
    }
  }
  return server;
}

/** Streams the result; the reply's pace is the reader's. Resolves to whether the connection can be used again. */
async function send(
  engine: Engine,
  connection: Connection,
  sql: string,
  request: QueryRequest,
  words: readonly string[],
  http: { req: IncomingMessage; res: ServerResponse; aborted: AbortSignal },
): Promise<boolean> {
  const { req, res, aborted } = http;
  const format = outputFormat(words, request.defaultFormat);
  // A read without a reader is cancelled; a write is completed.
  const read = statementKind(words) === "read";
  const stopKilling = read ? killOnAbort(engine, connection, aborted) : undefined;
  const output = runQuery(connection, sql, { format, stream: isStreamable(words, format) });
  try {
    // The status line waits for the first piece: most errors come before any output.
    const first = await output.next();
    if (aborted.aborted) return false;
    const tag = randomBytes(8).toString("hex");
    const compress = request.acceptsGzip && (req.headers["accept-encoding"] ?? "").includes("gzip");
    res.writeHead(200, {
      ...headers(request),
      "Content-Type": contentType(format),
      "X-ClickHouse-Format": format,
      "X-ClickHouse-Exception-Tag": tag,
      ...(compress ? { "Content-Encoding": "gzip" } : {}),
    });
    let failed = false;
    const pieces = async function* (): AsyncGenerator<Uint8Array> {
      try {
        if (first.done !== true) yield first.value;
        yield* output;
      } catch (error) {
        failed = true;
        yield lateException(asException(error), tag);
      }
    };
    if (compress) await pipeline(pieces, createGzip(), res);
    else await pipeline(pieces, res);
    return !failed && !aborted.aborted;
  } catch (error) {
    if (aborted.aborted) return false;
    throw error;
  } finally {
    // Also if the client did not read it to the end: a connection has room for one stream.
    await output.return(undefined);
    await stopKilling?.();
  }
}

/** An error after the first rows, as ClickHouse 25.11 and later end a reply with it. */
function lateException(exception: Exception, tag: string): Buffer {
  const text = `${exception.text}\n`;
  return Buffer.from(`\r\n__exception__\r\n${tag}\r\n${text}${Buffer.byteLength(text)} ${tag}\r\n__exception__\r\n`);
}

function headers(request: QueryRequest, summary: Record<string, number> = {}): Record<string, string> {
  const counts = {
    read_rows: 0,
    read_bytes: 0,
    written_rows: 0,
    written_bytes: 0,
    result_rows: 0,
    result_bytes: 0,
    elapsed_ns: 0,
  };
  const texts = Object.entries({ ...counts, ...summary }).map(([name, value]) => [name, String(value)]);
  return {
    "X-ClickHouse-Query-Id": request.queryId.replaceAll(/[^\x20-\x7e]/g, "?"),
    "X-ClickHouse-Timezone": "UTC",
    "X-ClickHouse-Server-Display-Name": "millrace",
    "X-ClickHouse-Summary": JSON.stringify(Object.fromEntries(texts)),
  };
}

function fail(res: ServerResponse, exception: Exception): void {
  if (res.headersSent) return void res.destroy();
  res.writeHead(httpStatus(exception.code), {
    "Content-Type": "text/plain; charset=UTF-8",
    "X-ClickHouse-Exception-Code": String(exception.code),
    // The rest of a body that was too large is not read.
    ...(exception.code === 307 ? { Connection: "close" } : {}),
  });
  res.end(`${exception.text}\n`);
}

function isAllowed(req: IncomingMessage, options: FrontOptions): boolean {
  const basic = /^Basic (.+)$/i.exec(req.headers.authorization ?? "")?.[1];
  const given =
    basic === undefined
      ? `${String(req.headers["x-clickhouse-user"])}:${String(req.headers["x-clickhouse-key"])}`
      : Buffer.from(basic, "base64").toString("utf8");
  const expected = Buffer.from(`${options.user}:${options.secret}`);
  const actual = Buffer.from(given);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
