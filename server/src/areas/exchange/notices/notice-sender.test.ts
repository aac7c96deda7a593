import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { NoticeSender } from "./notice-sender.ts";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function senderTo(...origins: string[]): NoticeSender {
  const sender = new NoticeSender(() => new Set(origins), silentLog);
  ends.push(() => sender.close());
  return sender;
}

test("a bidder that never answers its notices does not hold up the others'", async () => {
  let heard = 0;
  const silent = await listen(() => undefined);
  const quick = await listen((_request, reply) => {
    heard++;
    reply.end();
  });
  const sender = senderTo(silent, quick);
  for (let nth = 0; nth < 3000; nth++) sender.send("loss", `${silent}/${nth}`, "silent");
  for (let nth = 0; nth < 50; nth++) sender.send("billing", `${quick}/${nth}`, "quick");
  // Eight are under way and two thousand wait; the rest would only fill the memory.
  await vi.waitFor(() => expect(sender.counts).toMatchObject({ sent: 50, dropped: 992 }), { timeout: 3000 });
  expect(heard).toBe(50);
});

test("every notice is sent once, and drained when all are through", async () => {
  const heard: string[] = [];
  const origin = await listen((request, reply) => {
    heard.push(request.url ?? "");
    reply.end();
  });
  const sender = senderTo(origin);
  for (let nth = 0; nth < 100; nth++) sender.send("win", `${origin}/${nth}`, `bidder-${nth % 5}`);
  await sender.drain();
  expect(new Set(heard).size).toBe(100);
  expect(heard).toHaveLength(100);
});

test("an address in our own network is not asked", async () => {
  let heard = 0;
  const inside = await listen((_request, reply) => {
    heard++;
    reply.end();
  });
  const outside = await listen((_request, reply) => reply.writeHead(302, { location: inside }).end());
  const sender = senderTo(outside);
  sender.send("win", inside, "a");
  sender.send("win", outside, "b");
  await sender.drain();
  expect([heard, sender.counts.refused]).toEqual([0, 2]);
});
