import { expect, onTestFinished, test, vi } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { serveHttp } from "../../../platform/testing/serve-http.ts";
import { NoticeSender } from "./notice-sender.ts";

/** A sender that trusts these origins of bidders on this machine. */
function senderTo(origins: Record<string, string | string[]>): NoticeSender {
  const byBidder = new Map(Object.entries(origins));
  const sender = new NoticeSender((bidder) => new Set([byBidder.get(bidder) ?? []].flat()), silentLog);
  onTestFinished(() => sender.close());
  return sender;
}

test("a bidder that never answers does not delay the others' notices", async () => {
  let heard = 0;
  const silent = await serveHttp(() => undefined);
  const quick = await serveHttp((_request, reply) => {
    heard++;
    reply.end();
  });
  const sender = senderTo({ silent, quick });
  for (let nth = 0; nth < 3000; nth++) void sender.send("loss", `${silent}/${nth}`, "silent");
  for (let nth = 0; nth < 50; nth++) void sender.send("billing", `${quick}/${nth}`, "quick");
  // Some are being sent and two thousand wait; the rest are dropped to limit memory.
  await vi.waitFor(() => expect(sender.counts).toMatchObject({ sent: 50, dropped: 936 }), { timeout: 3000 });
  expect(heard).toBe(50);
});

test(
  "bidders that never answer, however many, leave the others room for their notices",
  { timeout: 30_000 },
  async () => {
    let heard = 0;
    const silent = await serveHttp(() => undefined);
    const quick = await serveHttp((_request, reply) => {
      heard++;
      reply.end();
    });
    const names = Array.from({ length: 6 }, (_, nth) => `silent-${nth}`);
    const sender = senderTo({ quick, ...Object.fromEntries(names.map((name) => [name, silent])) });
    for (const name of names) for (let nth = 0; nth < 100; nth++) void sender.send("loss", `${silent}/${nth}`, name);
    for (let nth = 0; nth < 200; nth++) void sender.send("billing", `${quick}/${nth}`, "quick");
    // The first calls of silent bidders last five seconds: until then nobody knows that they are silent.
    await vi.waitFor(() => expect(heard).toBe(200), { timeout: 15_000 });
  },
);

test("a bidder far away gets hundreds of billing notices a second", async () => {
  const far = await serveHttp((_request, reply) => void setTimeout(() => reply.end(), 100));
  const sender = senderTo({ far });
  const began = performance.now();
  for (let nth = 0; nth < 1000; nth++) void sender.send("billing", `${far}/${nth}`, "far");
  await sender.drain();
  expect(sender.counts).toMatchObject({ sent: 1000, dropped: 0 });
  expect(performance.now() - began).toBeLessThan(5000);
});

test("loss notices, however many wait, neither drop nor delay a bidder's billing notices", async () => {
  const heard: string[] = [];
  const origin = await serveHttp((request, reply) => {
    heard.push(request.url ?? "");
    reply.end();
  });
  const names = Array.from({ length: 6 }, (_, nth) => `bidder-${nth}`);
  const sender = senderTo(Object.fromEntries(names.map((name) => [name, origin])));
  for (const name of names) for (let nth = 0; nth < 2100; nth++) void sender.send("loss", `${origin}/lost`, name);
  const outcomes = names.flatMap((name) =>
    Array.from({ length: 50 }, (_, nth) => sender.send("billing", `${origin}/billed/${name}/${nth}`, name)),
  );
  expect(new Set(await Promise.all(outcomes))).toEqual(new Set(["sent"]));
  expect(new Set(heard.filter((url) => url !== "/lost")).size).toBe(300);
  // Those that were being sent already, and a few that were begun beside the last billing notices.
  expect(heard.filter((url) => url === "/lost").length).toBeLessThan(1000);
});

test("every notice is sent once, and drain waits for all of them", async () => {
  const heard: string[] = [];
  const origin = await serveHttp((request, reply) => {
    heard.push(request.url ?? "");
    reply.end();
  });
  const sender = senderTo(Object.fromEntries([0, 1, 2, 3, 4].map((nth) => [`bidder-${nth}`, origin])));
  for (let nth = 0; nth < 100; nth++) void sender.send("win", `${origin}/${nth}`, `bidder-${nth % 5}`);
  await sender.drain();
  expect(new Set(heard).size).toBe(100);
  expect(heard).toHaveLength(100);
});

test("a notice reaches no private origin but its own bidder's, directly or by a redirect", async () => {
  const heard: string[] = [];
  const inside = await serveHttp((request, reply) => {
    heard.push(request.url ?? "");
    reply.end();
  });
  const other = await serveHttp((_request, reply) => reply.writeHead(302, { location: `${inside}/redirected` }).end());
  const sender = senderTo({ inside, other });
  void sender.send("win", `${inside}/own`, "inside");
  void sender.send("win", `${inside}/other's`, "other");
  void sender.send("win", `${inside}/nobody's`, "unknown");
  void sender.send("win", other, "other");
  await sender.drain();
  expect([heard, sender.counts.sent, sender.counts.refused]).toEqual([["/own"], 1, 3]);
});

test("a notice reaches each origin of its own bidder, also by a redirect between them, and no other bidder's", async () => {
  const heard: string[] = [];
  const europe = await serveHttp((request, reply) => {
    heard.push(request.url ?? "");
    reply.end();
  });
  const america = await serveHttp((_request, reply) => reply.writeHead(302, { location: `${europe}/moved` }).end());
  const sender = senderTo({ global: [america, europe], american: america });
  void sender.send("win", `${europe}/direct`, "global");
  await sender.drain();
  void sender.send("win", america, "global");
  await sender.drain();
  void sender.send("win", america, "american");
  await sender.drain();
  expect([heard, sender.counts.sent, sender.counts.refused]).toEqual([["/direct", "/moved"], 2, 1]);
});

test("waiting notices are also limited in bytes", async () => {
  const silent = await serveHttp(() => undefined);
  const bidders = Object.fromEntries(Array.from({ length: 4 }, (_, nth) => [`bidder-${nth}`, silent]));
  const sender = senderTo(bidders);
  const url = `${silent}/${"x".repeat(4000)}`;
  for (const bidder of Object.keys(bidders)) {
    for (let nth = 0; nth < 2000; nth++) void sender.send("loss", url, bidder);
  }
  // Some of each of the first three bidders are being sent and 16 Mi characters wait, so the fourth's are dropped.
  expect(sender.counts.dropped).toBe(8000 - 3 * 64 - Math.floor((16 * 2 ** 20) / url.length));
});
