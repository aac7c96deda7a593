import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { type ServerResponse, createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveParent } from "./child.ts";

/**
 * The floor of durable beacons, in a process of its own: a bare node:http server that reads the token from each request's
 * address, appends a line as long as the platform's row to a file, syncs the lines in groups, and answers what the platform
 * answers once the line is on the disk. It checks nothing and remembers nothing.
 */
const dir = mkdtempSync(join(tmpdir(), "millrace-bare-"));
process.once("exit", () => rmSync(dir, { recursive: true, force: true }));
const file = await open(join(dir, "lines"), "w");

const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64").toString("latin1");
/** The headers of the platform's answer. */
const HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "cross-origin",
  vary: "Origin",
  "content-type": "image/gif",
  "content-length": GIF.length,
  "cache-control": "no-store",
};
let lines: string[] = [];
let waiting: ServerResponse[] = [];
let isWriting = false;

async function write(): Promise<void> {
  isWriting = true;
  while (waiting.length > 0) {
    const [group, answers] = [lines, waiting];
    lines = [];
    waiting = [];
    await file.write(`${group.join("\n")}\n`);
    await file.datasync();
    for (const response of answers) response.writeHead(200, HEADERS).end(GIF, "latin1");
  }
  isWriting = false;
}

const server = createServer((request, response) => {
  const { url = "", headers } = request;
  const pathEnd = url.indexOf("?");
  const token = new URLSearchParams(url.slice(pathEnd + 1)).get("t");
  const { host, "x-forwarded-for": address } = headers;
  lines.push(JSON.stringify({ at: Date.now(), host, address, path: url.slice(0, pathEnd), token }));
  waiting.push(response);
  if (!isWriting) void write();
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  serveParent({ port: typeof address === "object" ? address?.port : 0 });
});
