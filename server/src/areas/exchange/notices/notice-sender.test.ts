import { expect, onTestFinished, test, vi } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { serveHttp } from "../../../platform/testing/serve-http.ts";
import { NoticeSender } from "./notice-sender.ts";

function senderTo(...origins: string[]): NoticeSender {
  const sender = new NoticeSender(() => new Set(origins), silentLog);
  onTestFinished(() => sender.close());
  return sender;
}

test("a bidder that never answers its notices does not hold up the others'", async () => {
  let heard = 0;
  const silent = await serveHttp(() => undefined);
  const quick = await serveHttp((_request, reply) => {
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
  const origin = await serveHttp((request, reply) => {
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
  const inside = await serveHttp((_request, reply) => {
    heard++;
    reply.end();
  });
  const outside = await serveHttp((_request, reply) => reply.writeHead(302, { location: inside }).end());
  const sender = senderTo(outside);
  sender.send("win", inside, "a");
  sender.send("win", outside, "b");
  await sender.drain();
  expect([heard, sender.counts.refused]).toEqual([0, 2]);
});
