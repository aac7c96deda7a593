import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { errorMessage } from "../../error-message.ts";
import { Exception } from "./exception.ts";

/** A request of ClickHouse's HTTP interface, taken apart. */
export type QueryRequest = {
  /** The statement, without the rows of an INSERT. */
  sql: string;
  /** The rows of an INSERT whose statement came in the address. */
  data: Buffer | undefined;
  database: string;
  queryId: string;
  /** `param_<name>` in the interface's escaped form. */
  params: [name: string, value: string][];
  settings: Map<string, string>;
  defaultFormat: string;
  /** Whether the client asked for compressed replies. */
  acceptsGzip: boolean;
};

/** Parts of the interface that are no settings. */
const notSettings = new Set([
  "query",
  "query_id",
  "database",
  "session_id",
  "session_timeout",
  "role",
  "default_format",
]);
/** Settings the front answers for itself: those of the HTTP transport, and the mark by which it finds a query to kill. */
const transport = new Set([
  "enable_http_compression",
  "log_comment",
  "wait_end_of_query",
  "send_progress_in_http_headers",
  "cancel_http_readonly_queries_on_client_close",
]);

/** Reads address and body. Throws Exception: TOO_MANY_BYTES past `maxBodyBytes` after decompression, or what is malformed. */
export async function readQueryRequest(req: IncomingMessage, url: URL, maxBodyBytes: number): Promise<QueryRequest> {
  if (url.searchParams.has("session_id")) {
    throw new Exception(48, "NOT_IMPLEMENTED", "The embedded store has no sessions: put settings beside the query");
  }
  const fields: [string, string][] = [...url.searchParams];
  let body = await readBody(req, maxBodyBytes);
  const contentType = req.headers["content-type"] ?? "";
  if (contentType.startsWith("multipart/form-data")) {
    fields.push(...readForm(body, contentType));
    body = Buffer.alloc(0);
  }
  const get = (name: string): string | undefined => fields.findLast(([key]) => key === name)?.[1];
  const inAddress = get("query");
  const settings = fields.filter(([key]) => !notSettings.has(key) && !transport.has(key) && !key.startsWith("param_"));
  const sql = inAddress ?? body.toString("utf8");
  if (sql.trim() === "") throw new Exception(62, "SYNTAX_ERROR", "Empty query");
  return {
    sql,
    data: inAddress === undefined || body.length === 0 ? undefined : body,
    database: get("database") ?? "default",
    queryId: get("query_id") ?? "",
    params: fields.filter(([key]) => key.startsWith("param_")).map(([key, value]) => [key.slice(6), value]),
    settings: new Map(settings),
    defaultFormat: get("default_format") ?? "TabSeparated",
    acceptsGzip: get("enable_http_compression") === "1",
  };
}

async function readBody(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const stream = decompressed(req);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        throw new Exception(
          307,
          "TOO_MANY_BYTES",
          `The body is larger than ${maxBytes} bytes: insert in smaller batches`,
        );
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Exception) throw error;
    throw new Exception(1000, "POCO_EXCEPTION", `The body cannot be read: ${errorMessage(error)}`);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, bytes);
}

function decompressed(req: IncomingMessage): Readable {
  const coding = req.headers["content-encoding"] ?? "";
  if (coding === "" || coding === "identity") return req;
  const decoder =
    coding === "gzip"
      ? createGunzip()
      : coding === "br"
        ? createBrotliDecompress()
        : coding === "deflate"
          ? createInflate()
          : undefined;
  if (decoder === undefined)
    throw new Exception(48, "NOT_IMPLEMENTED", `Unknown content encoding ${coding}: use gzip, br or deflate`);
  req.once("error", (error) => decoder.destroy(error));
  req.once("aborted", () => decoder.destroy(new Error("aborted")));
  return req.pipe(decoder);
}

/** The client sends long parameters as a form (RFC 7578): parts between boundaries, each with a name and a text. */
function readForm(body: Buffer, contentType: string): [string, string][] {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (boundary === undefined) throw new Exception(36, "BAD_ARGUMENTS", "The form in the body has no boundary");
  const parts = `\r\n${body.toString("utf8")}`.split(`\r\n--${boundary}`).slice(1, -1);
  return parts.map((part) => {
    const end = part.indexOf("\r\n\r\n");
    const name = /name="([^"]*)"/.exec(part.slice(0, end))?.[1];
    if (end < 0 || name === undefined) throw new Exception(36, "BAD_ARGUMENTS", "A part of the form has no name");
    return [name, part.slice(end + 4)];
  });
}
