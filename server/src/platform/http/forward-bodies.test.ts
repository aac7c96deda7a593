import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { forwardingServer } from "./forward.ts";

const SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.6\r\n\r\n";

/** A dashboard that notes what reaches it, behind a process that forwards everything. Resolves to the latter's port. */
async function dashboardBehind(seen: { path: string; body: string }[]): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), "forward-"));
  const socket = join(dir, "dashboard.sock");
  const dashboard = createServer((request, reply) => {
    void textOf(request).then((body) => {
      seen.push({ path: request.url ?? "", body });
      reply.end(`answer of ${request.url}`);
    });
  });
  const front = forwardingServer({ socket, trustedProxies: 0 }, {}).factory(() => undefined);
  onTestFinished(() => {
    for (const server of [front, dashboard]) {
      server.close();
      server.closeAllConnections();
    }
    rmSync(dir, { recursive: true });
  });
  await once(dashboard.listen(socket), "listening");
  await once(front.listen(0, "127.0.0.1"), "listening");
  return (front.address() as AddressInfo).port;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Sends bytes as they are; resolves to all that comes back until the connection is closed. */
async function exchangeBytes(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(bytes);
  let answer = "";
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

const chunked = (method: string, body: string) =>
  `${method} /asked HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n` +
  `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

test("a body in chunks is a body for the dashboard too, whatever the method, and never a second request", async () => {
  const methods = ["GET", "HEAD", "DELETE", "OPTIONS", "POST", "PUT", "PATCH"];
  const seen: { path: string; body: string }[] = [];
  const port = await dashboardBehind(seen);
  for (const method of methods) {
    expect(await exchangeBytes(port, chunked(method, SMUGGLED))).toMatch(/^HTTP\/1.1 200 OK/);
    const next = await exchangeBytes(port, "GET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(next).toContain("answer of /next");
  }
  expect(seen).toEqual(
    methods.flatMap(() => [
      { path: "/asked", body: SMUGGLED },
      { path: "/next", body: "" },
    ]),
  );
});
