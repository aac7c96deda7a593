import type { IncomingMessage } from "node:http";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { BidClient, type BidClientLimits } from "../bid-client.ts";
import type { CallOutcome } from "../outcome.ts";
import type { AddressedCall, OutgoingCall } from "../outgoing-call.ts";

/** A client for one test. */
export function clientWith(limits: Partial<BidClientLimits> = {}) {
  const client = new BidClient(limits);
  onTestFinished(() => client.close());
  return client;
}

/** A server of raw bytes; `sockets` counts the connections it was offered. */
export async function serveRaw(onSocket: (socket: Socket, nth: number) => void) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {});
    sockets.push(socket);
    onSocket(socket, sockets.length);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
}

/** Answers every request that came in one packet with these bytes. */
export const answering = (wire: string | Buffer) =>
  serveRaw((socket) => {
    socket.on("data", () => socket.write(wire));
  });

export const post = (url: string, body = "{}", more: Partial<OutgoingCall> = {}): OutgoingCall => ({
  method: "POST",
  url,
  headers: { "content-type": "application/json" },
  body,
  gzip: false,
  ...more,
});

/** A call to a trusted receiver on this machine. */
export const trusted = (call: OutgoingCall): AddressedCall => ({
  call,
  trustedOrigin: URL.canParse(call.url) ? new URL(call.url).origin : null,
});

export async function ask(
  client: BidClient,
  call: OutgoingCall,
  withinMs = 1000,
  { retryStale = true, trustedOrigin = trusted(call).trustedOrigin } = {},
): Promise<CallOutcome> {
  const outcomes = await client.sendAll([{ call, trustedOrigin }], performance.now() + withinMs, retryStale);
  return outcomes[0] as CallOutcome;
}

export const failureOf = (outcome: CallOutcome) => (outcome.ok ? `status ${outcome.status}` : outcome.failure);

export const later = (ms: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
