import { expect, test } from "vitest";
import { beacon, remembering, reply, results, setUp, settled, takenBy } from "../testing/queue-set-up.ts";
import type { Incoming, Outgoing } from "./host.ts";

test("a fresh beacon goes by its own request; items and pings found after a restart go in one batch", async () => {
  let up = true;
  const { sent, transport } = remembering((request) => (up ? takenBy(request) : reply(503)));
  const { clock, storage, open, outcomes } = setUp(transport);
  const first = open();
  for (const token of ["a", "b"]) {
    first.add(beacon(token));
    await settled();
  }
  up = false;
  first.add(beacon("c"));
  first.add(beacon("d", "loss"));
  await settled();
  const ping = { url: "https://ads.test/sdk/v1/ping", body: '{"seq":1}', at: clock.now(), tries: 0 };
  storage.set("q.zz", JSON.stringify(ping));
  first.close();
  up = true;
  const second = open();
  clock.advance(0);
  await settled();
  expect(sent).toEqual(["a", "b", "c", "d", "[c d ping 1]"]);
  expect(outcomes.slice(-3)).toEqual(["delivered", "delivered", "delivered"]);
  expect([second.size(), storage.keys()]).toEqual([0, []]);
});

test("when the network is back, waiting items go in batches of at most 100", async () => {
  let up = false;
  const { sent, transport } = remembering((request) => (up ? takenBy(request) : reply(503)));
  const { open } = setUp(transport);
  const queue = open();
  for (let number = 0; number < 250; number += 1) queue.add(beacon(String(number)));
  await settled();
  sent.length = 0;
  up = true;
  queue.flush();
  await settled();
  expect(sent.map((request) => request.split(" ").length)).toEqual([100, 100, 50]);
  expect(queue.size()).toBe(0);
});

test("if more than a few items wait, the first retry takes the others along, except those the server has deferred", async () => {
  let answer: (request: Outgoing) => Incoming = () => reply(503);
  const { sent, transport } = remembering((request) => answer(request));
  const { clock, open } = setUp(transport);
  const queue = open();
  for (const token of ["a", "b", "c", "d"]) {
    queue.add(beacon(token));
    await settled();
    clock.advance(100);
  }
  answer = () => reply(429, 60_000);
  queue.add(beacon("e"));
  await settled();
  expect(sent).toEqual(["a", "b", "c", "d", "e"]);
  answer = takenBy;
  clock.advance(1100);
  await settled();
  expect(sent.slice(5)).toEqual(["[a b c d]"]);
  expect(queue.size()).toBe(1);
});

test("accepted and repeated events of a batch are done, final refusals are dropped, and all others are retried", async () => {
  let answer: (request: Outgoing) => Incoming = () => reply(503);
  const { sent, transport } = remembering((request) => answer(request));
  const { clock, open, outcomes } = setUp(transport);
  const queue = open();
  for (const token of ["a", "b", "c", "d", "e", "f"]) queue.add(beacon(token));
  await settled();
  outcomes.length = 0;
  const told = [
    { result: "accepted" },
    { result: "duplicate" },
    { result: "refused", code: "expired" },
    { result: "refused", code: "later" },
    { result: "unheard-of" },
    null,
  ];
  answer = () => results(told);
  queue.flush();
  await settled();
  expect(outcomes).toEqual(["delivered", "delivered", "refused", "retrying", "retrying", "retrying"]);
  // Too few results, or a captive portal's page: the result of every event is unknown.
  for (const unclear of [results([{ result: "accepted" }]), reply(200)]) {
    answer = () => unclear;
    queue.flush();
    await settled();
    expect(queue.size()).toBe(3);
  }
  answer = takenBy;
  clock.advance(60_000);
  await settled();
  expect(sent.at(-1)).toBe("[d e f]");
  expect(queue.size()).toBe(0);
});

test("if batches are refused, each item goes by its own request", async () => {
  const { sent, transport } = remembering(({ body }) => reply(body === undefined ? 200 : 404));
  const { storage, open } = setUp(transport);
  for (const id of ["a", "b"]) {
    storage.set(`q.${id}`, JSON.stringify({ url: beacon(id), at: Date.UTC(2025, 0, 1), tries: 1 }));
  }
  const queue = open();
  queue.flush();
  await settled();
  expect(sent).toEqual(["[a b]", "a", "b"]);
  expect(queue.size()).toBe(0);
});

test("clicks with a destination and other requests never go in a batch, and each platform has its own", async () => {
  const urls: string[] = [];
  const { storage, open } = setUp(async (request) => {
    urls.push(request.url);
    return takenBy(request);
  });
  const known = [
    beacon("a", "click"),
    beacon("b"),
    `${beacon("c", "click")}&to=https%3A%2F%2Fshop.example&s=x`,
    "https://ads.test/other?t=d",
    "https://elsewhere.test/beacon/impression?t=e",
  ];
  for (const [id, url] of known.entries())
    storage.set(`q.${id}`, JSON.stringify({ url, at: Date.UTC(2025, 0, 1), tries: 0 }));
  open().flush();
  await settled();
  expect(urls).toEqual(["https://ads.test/sdk/v1/events", ...known.slice(2)]);
});

test("a click takes its impression along if that waits for another try", async () => {
  let up = false;
  const { sent, transport } = remembering((request) => (up ? takenBy(request) : reply(503)));
  const { clock, open } = setUp(transport);
  const queue = open();
  queue.add(beacon("i"));
  await settled();
  queue.add(beacon("c", "click"), undefined, beacon("i"));
  await settled();
  expect(sent).toEqual(["i", "[i c]"]);
  up = true;
  clock.advance(3000);
  await settled();
  expect(sent.slice(2)).toEqual(["[i c]"]);
  expect(queue.size()).toBe(0);
});

test("a click is never sent before its impression: neither while that is on its way, nor before the server takes it", async () => {
  let answer: (taken: Incoming) => void = () => {};
  const { sent, transport } = remembering(takenBy);
  const { clock, open } = setUp((request) => {
    const taken = transport(request);
    return sent.length > 1 ? taken : new Promise((resolve) => (answer = resolve));
  });
  const queue = open();
  queue.add(beacon("i"));
  queue.add(beacon("c", "click"), undefined, beacon("i"));
  clock.advance(5000);
  await settled();
  expect(sent).toEqual(["i"]);
  answer(reply(429, 60_000));
  await settled();
  clock.advance(59_000);
  await settled();
  expect(sent).toEqual(["i"]);
  clock.advance(1000);
  await settled();
  expect(sent).toEqual(["i", "[i c]"]);
  expect(queue.size()).toBe(0);
});

test("a click that cannot go together with its impression waits for that one's answer, also after a restart", async () => {
  let isUp = false;
  const answers: (() => void)[] = [];
  const { sent, transport } = remembering((request) => (isUp ? takenBy(request) : reply(503)));
  const { clock, open } = setUp(async (request) => {
    const taken = transport(request);
    if (isUp) await new Promise<void>((resolve) => answers.push(resolve));
    return taken;
  });
  const click = "https://ads.test/beacon/click?to=https%3A%2F%2Fshop.example&t=c";
  const before = open();
  before.add(beacon("i"));
  before.add(click, undefined, beacon("i"));
  await settled();
  before.close();
  sent.length = 0;
  isUp = true;
  const queue = open();
  clock.advance(0);
  await settled();
  expect(sent).toEqual(["i"]);
  answers[0]?.();
  await settled();
  expect(sent).toEqual(["i", "c"]);
  answers[1]?.();
  await settled();
  expect(queue.size()).toBe(0);
});
