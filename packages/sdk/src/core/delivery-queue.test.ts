import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { protocolServer } from "../testing/protocol-server.ts";
import { beacon, reply, results, setUp, settled, tokensIn } from "../testing/queue-set-up.ts";
import { deliveryQueue, type Outcome } from "./delivery-queue.ts";
import { fetchTransport } from "./fetch-transport.ts";
import { memoryStorage } from "./memory-storage.ts";
import { strongRandom } from "./random-id.ts";
import { systemClock } from "./system-clock.ts";

test("a beacon is sent at once by GET and removed when the server accepts it", async () => {
  const server = await protocolServer(() => ({ status: 204 }));
  const storage = memoryStorage();
  const host = { clock: systemClock, storage, transport: fetchTransport(fetch), random: Math.random };
  const queue = deliveryQueue(host, "q.", () => {});
  queue.add(`${server.endpoint}/b/imp?t=1`);
  queue.add(`${server.endpoint}/sdk/v1/ping`, JSON.stringify({ seq: 1 }));
  expect(storage.keys()).toHaveLength(2);
  await vi.waitFor(() => expect(queue.size()).toBe(0));
  expect(storage.keys()).toEqual([]);
  expect(server.received.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    "GET /b/imp?t=1",
    "POST /sdk/v1/ping",
  ]);
  await server.close();
});

test("a click's redirect counts as accepted and is not followed", async () => {
  const server = await protocolServer(({ path }) =>
    path === "/landing" ? {} : { status: 302, headers: { location: "/landing" } },
  );
  const host = {
    clock: systemClock,
    storage: memoryStorage(),
    transport: fetchTransport(fetch),
    random: Math.random,
  };
  const queue = deliveryQueue(host, "q.", () => {});
  queue.add(`${server.endpoint}/b/click`);
  await vi.waitFor(() => expect(queue.size()).toBe(0));
  expect(server.received.map(({ path }) => path)).toEqual(["/b/click"]);
  await server.close();
});

test("undelivered beacons are sent after a restart, even if the first try was cut off", async () => {
  let up = false;
  const server = await protocolServer(() => (up ? { status: 204 } : { cut: true }));
  const storage = memoryStorage();
  const host = { clock: systemClock, storage, transport: fetchTransport(fetch), random: Math.random };
  const outcomes: Outcome[] = [];
  const first = deliveryQueue(host, "q.", (outcome) => outcomes.push(outcome));
  first.add(`${server.endpoint}/b/imp`);
  await vi.waitFor(() => expect(outcomes).toEqual(["retrying"]));
  first.close();

  up = true;
  const second = deliveryQueue(host, "q.", (outcome) => outcomes.push(outcome));
  expect(second.size()).toBe(1);
  await vi.waitFor(() => expect(outcomes).toEqual(["retrying", "delivered"]));
  expect(storage.keys()).toEqual([]);
  await server.close();
});

test("delays double up to ten minutes, respect Retry-After, and end when the network is back", async () => {
  const sentAt: number[] = [];
  let answer = reply(503);
  const { clock, open } = setUp(async () => {
    sentAt.push(clock.ticks());
    return answer;
  });
  const queue = open();
  queue.add("https://ads.test/b");
  for (let tenth = 0; tenth < 60 * 60 * 10; tenth += 1) {
    await settled();
    clock.advance(100);
  }
  const waits = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0));
  expect(waits.slice(0, 4)).toEqual([1500, 3000, 6000, 12000]);
  expect(Math.max(...waits)).toBe(450_000);

  answer = reply(429, 3_600_000);
  queue.flush();
  await settled();
  const count = sentAt.length;
  clock.advance(3_500_000);
  queue.flush();
  await settled();
  expect(sentAt).toHaveLength(count);
  answer = reply(204);
  clock.advance(200_000);
  await settled();
  expect(queue.size()).toBe(0);
});

test("a refusal is final, a busy server is not", async () => {
  const { open, outcomes } = setUp(async ({ url }) => reply(Number(url.slice(-3))));
  const queue = open();
  for (const status of [200, 204, 302, 400, 403, 404, 410, 408, 425, 429, 500, 503])
    queue.add(`https://a.test/${status}`);
  await settled();
  const count = (of: Outcome) => outcomes.filter((outcome) => outcome === of).length;
  expect(count("delivered")).toBe(3);
  expect(count("refused")).toBe(4);
  expect(count("retrying")).toBe(5);
  expect(queue.size()).toBe(5);
});

test("the oldest items are dropped beyond 500, and all after three days", async () => {
  const { clock, storage, open, outcomes } = setUp(async () => Promise.reject(new Error("offline")));
  const queue = open();
  for (let number = 0; number < 520; number += 1) {
    queue.add(`https://ads.test/${number}`);
    clock.advance(1);
    await settled();
  }
  expect(queue.size()).toBe(500);
  expect(storage.keys()).toHaveLength(500);
  expect(outcomes.filter((outcome) => outcome === "dropped")).toHaveLength(20);
  queue.close();
  clock.advance(3 * 24 * 3_600_000 + 1000);
  expect(open().size()).toBe(0);
  expect(storage.keys()).toEqual([]);
});

test("beyond 500 items, pings make room first, then losses, and what is paid last", () => {
  const ping = "https://ads.test/sdk/v1/ping";
  const kept = (kinds: Record<string, number>) => {
    const { clock, storage, open } = setUp(async () => reply(503));
    const urls = Object.entries(kinds).flatMap(([url, count]) => Array<string>(count).fill(url));
    for (const [nth, url] of urls.entries()) {
      const body = url === ping ? "{}" : undefined;
      storage.set(`q.${1000 + nth}`, JSON.stringify({ url, body, at: clock.now(), tries: 0 }));
    }
    open().close();
    const left = storage.keys().map((key) => storage.get(key) ?? "");
    return Object.keys(kinds).map((url) => left.filter((item) => item.includes(`"${url}"`)).length);
  };
  const [old, loss, paid] = [beacon("old"), beacon("a", "loss"), beacon("b")];
  expect(kept({ [old]: 1, [loss]: 10, [ping]: 500 })).toEqual([1, 10, 489]);
  expect(kept({ [old]: 1, [loss]: 10, [ping]: 3, [paid]: 495 })).toEqual([1, 4, 0, 495]);
  expect(kept({ [old]: 1, [loss]: 10, [ping]: 3, [paid]: 501 })).toEqual([0, 0, 0, 500]);
});

test("if storage throws, items are only lost at a restart", async () => {
  const broken = () => {
    throw new Error("QuotaExceededError");
  };
  const { open, outcomes } = setUp(async () => reply(204), { keys: broken, get: broken, set: broken, remove: broken });
  const queue = open();
  queue.add("https://ads.test/b");
  await settled();
  expect(outcomes).toEqual(["delivered"]);
  expect(queue.size()).toBe(0);
});

test("unreadable items are removed from storage, and other keys stay", () => {
  const storage = memoryStorage();
  storage.set("q.1", "{");
  storage.set("q.2", "null");
  storage.set("q.3", JSON.stringify({ url: 5 }));
  storage.set("app's own", "{");
  const { open } = setUp(async () => reply(204), storage);
  expect(open().size()).toBe(0);
  expect(storage.keys()).toEqual(["app's own"]);
});

test("two pages of one app deliver each beacon once", async () => {
  const storage = memoryStorage();
  let up = false;
  const sent: string[] = [];
  const { clock, open } = setUp(async ({ url }) => {
    if (!up) throw new Error("offline");
    sent.push(url);
    return reply(204);
  }, storage);
  const first = open();
  first.add("https://ads.test/b");
  await settled();
  const second = open();
  up = true;
  first.flush();
  await settled();
  clock.advance(60_000);
  await settled();
  expect(sent).toEqual(["https://ads.test/b"]);
  expect(second.size()).toBe(0);
});

const NETWORKS = [
  "up",
  "down",
  "busy",
  "answers get lost",
  "takes half of a batch",
  "takes no batches",
  "garbles",
] as const;
type Network = (typeof NETWORKS)[number];

type Step =
  | { do: "add" }
  | { do: "pass"; ms: number }
  | { do: "network"; to: Network }
  | { do: "flush" }
  | { do: "settle" }
  | { do: "reload" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step>({ do: "add" }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 900_000 }).map((ms): Step => ({ do: "pass", ms })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...NETWORKS).map((to): Step => ({ do: "network", to })),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ do: "flush" }) },
  { weight: 3, arbitrary: fc.constant<Step>({ do: "settle" }) },
  { weight: 2, arbitrary: fc.constant<Step>({ do: "reload" }) },
);

test("after any faults every beacon arrives, and none is sent twice at a time", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      let network: Network = "up";
      let run = 0;
      let requests = 0;
      const arrived = new Set<string>();
      const underWay = new Set<string>();
      const { clock, storage, open } = setUp(
        async (request) => {
          const tokens = tokensIn(request);
          const isBatch = request.body !== undefined;
          const marks = tokens.map((token) => `${run} ${token}`);
          for (const mark of marks) {
            expect(underWay.has(mark)).toBe(false);
            underWay.add(mark);
          }
          requests += 1;
          expect(requests).toBeLessThanOrEqual(4 * (run + 1));
          await Promise.resolve();
          await Promise.resolve();
          requests -= 1;
          for (const mark of marks) underWay.delete(mark);
          if (network === "down") throw new Error("offline");
          if (network === "busy") return reply(503);
          if (isBatch && network === "takes no batches") return reply(404);
          if (isBatch && network === "garbles") return reply(200);
          const taken = tokens.filter((_, nth) => !isBatch || network !== "takes half of a batch" || nth % 2 === 0);
          const told = tokens.map((token) =>
            taken.includes(token) ? { result: arrived.has(token) ? "duplicate" : "accepted" } : { result: "refused" },
          );
          for (const token of taken) arrived.add(token);
          if (network === "answers get lost") throw new Error("reset");
          return isBatch ? results(told) : reply(204);
        },
        memoryStorage(),
        strongRandom,
      );
      let queue = open();
      let added = 0;
      for (const next of steps) {
        if (next.do === "add") queue.add(beacon(String((added += 1))));
        else if (next.do === "pass") clock.advance(next.ms);
        else if (next.do === "network") network = next.to;
        else if (next.do === "flush") queue.flush();
        else if (next.do === "settle") await settled();
        else {
          // The process ends at any moment, and only the storage remains.
          queue.close();
          run += 1;
          queue = open();
        }
      }
      network = "up";
      queue.flush();
      for (let round = 0; round < 200 && queue.size() > 0; round += 1) {
        await settled();
        clock.advance(1000);
      }
      expect(queue.size()).toBe(0);
      expect(storage.keys()).toEqual([]);
      expect(arrived.size).toBe(added);
    }),
    { numRuns: 300 },
  );
});
