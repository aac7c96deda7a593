import { expect, test, vi } from "vitest";
import { deferred } from "./journal/deferred.ts";
import { fairQueue } from "./fair-queue.ts";
import { Problem } from "./http/problem.ts";

const LIMITS = { atOnce: 3, perKey: 2, waitingPerKey: 4, waitMs: 1000, busyText: "Come back" };

const settle = () => new Promise((done) => setImmediate(done));

/** A queue with named work that ends on demand. */
function observed(limits: Partial<typeof LIMITS> = {}) {
  const queue = fairQueue({ ...LIMITS, ...limits });
  const running = new Map<string, () => void>();
  const begun: string[] = [];
  return {
    queue,
    begun,
    running: () => [...running.keys()],
    ask: (key: number, name: string, signal?: AbortSignal) => {
      const work = async () => {
        const { promise, resolve } = deferred();
        begun.push(name);
        running.set(name, () => resolve());
        await promise;
        running.delete(name);
        return name;
      };
      const answer = queue.run(key, work, signal);
      answer.catch(() => undefined);
      return answer;
    },
    /** Lets started work begin. */
    settle,
    /** Ends the work and lets the next begin. */
    async end(name: string) {
      running.get(name)?.();
      await settle();
    },
  };
}

test("a key never runs more than its share at once", async () => {
  const { ask, running } = observed();
  for (const name of ["a1", "a2", "a3", "a4"]) void ask(1, name);
  await settle();
  expect(running()).toEqual(["a1", "a2"]);
});

test("keys take turns, however many calls one of them has", async () => {
  const { ask, end, begun } = observed({ atOnce: 1, waitingPerKey: 10 });
  for (const name of ["a1", "a2", "a3", "a4"]) void ask(1, name);
  for (const name of ["b1", "b2"]) void ask(2, name);
  void ask(3, "c1");
  await settle();
  while (begun.length < 7) await end(begun.at(-1) ?? "");
  expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
});

test("a new key starts immediately while another waits for its share", async () => {
  const { ask, running } = observed();
  for (const name of ["a1", "a2", "a3"]) void ask(1, name);
  void ask(2, "b1");
  await settle();
  expect(running()).toEqual(["a1", "a2", "b1"]);
});

test("a key with a full queue is refused, and others are not", async () => {
  const { ask, running } = observed({ atOnce: 2, perKey: 1, waitingPerKey: 2 });
  for (const name of ["a1", "a2", "a3"]) void ask(1, name);
  await expect(ask(1, "a4")).rejects.toMatchObject({ code: "too_many", retryAfterSeconds: 1 });
  void ask(2, "b1");
  await settle();
  expect(running()).toEqual(["a1", "b1"]);
});

test("a call that waits too long is refused and never starts", async () => {
  vi.useFakeTimers();
  try {
    const { ask, begun, running, queue } = observed({ perKey: 1 });
    void ask(1, "a1");
    const late = ask(1, "a2");
    await vi.advanceTimersByTimeAsync(1001);
    await expect(late).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 2 });
    expect(queue.waiting()).toBe(0);
    expect(running()).toEqual(["a1"]);
    expect(begun).toEqual(["a1"]);
  } finally {
    vi.useRealTimers();
  }
});

test("a waiting call leaves the queue once its client has gone, and frees its place", async () => {
  const { ask, begun, end, queue } = observed({ perKey: 1, waitingPerKey: 2 });
  void ask(1, "a1");
  const client = new AbortController();
  const left = ask(1, "a2", client.signal);
  const stays = ask(1, "a3", new AbortController().signal);
  client.abort();
  await expect(left).rejects.toBe(client.signal.reason);
  await expect(ask(1, "a4", client.signal)).rejects.toBe(client.signal.reason);
  expect(queue.waiting()).toBe(1);
  void ask(1, "a5");
  await end("a1");
  await end("a3");
  await expect(stays).resolves.toBe("a3");
  expect(begun).toEqual(["a1", "a3", "a5"]);
});

test("running work goes on after its client has gone", async () => {
  const { ask, end } = observed();
  const client = new AbortController();
  const answer = ask(1, "a1", client.signal);
  await settle();
  client.abort();
  await end("a1");
  await expect(answer).resolves.toBe("a1");
});

test("failed work frees its place", async () => {
  const queue = fairQueue({ ...LIMITS, atOnce: 1 });
  const failing = queue.run(1, () => Promise.reject(new Problem("unavailable", "Away")));
  const next = queue.run(1, async () => "next");
  await expect(failing).rejects.toThrow("Away");
  await expect(next).resolves.toBe("next");
});
