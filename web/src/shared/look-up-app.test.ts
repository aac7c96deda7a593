import type { Reply, addApp } from "@millrace/contract";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { lookUpApp } from "./look-up-app.ts";

type Answer = Reply<typeof addApp>;
type Asked = { url: string } | { qid: string };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server whose search is pending for the given number of calls. */
function searching(answers: number, end: Answer) {
  const asked: { body: Asked; atMs: number }[] = [];
  const begunMs = Date.now();
  const ask = async (body: Asked): Promise<Answer> => {
    asked.push({ body, atMs: Date.now() - begunMs });
    return asked.length > answers ? end : { qid: "q1", status: asked.length === 1 ? "waiting" : "working" };
  };
  return { ask, asked };
}

const ITEM = { id: "android:a", platform: "android", name: "A", logo_url: null, url: "https://x.test/a" } as const;
const forever = () => new AbortController().signal;

test("a search is polled every three seconds until there is a result", async () => {
  const { ask, asked } = searching(3, { qid: "q1", status: "done", items: [ITEM] });
  const found = lookUpApp(ask, "com.example.a", forever());
  await vi.advanceTimersByTimeAsync(9000);
  expect(await found).toEqual({ url: "com.example.a", qid: "q1", items: [ITEM], reachable: true });
  expect(asked.map(({ atMs }) => atMs)).toEqual([0, 3000, 6000, 9000]);
  expect(asked.map(({ body }) => body)).toEqual([
    { url: "com.example.a" },
    ...Array.from({ length: 3 }, () => ({ qid: "q1" })),
  ]);
});

test("polling stops after thirty seconds", async () => {
  const { ask, asked } = searching(100, { qid: "q1", status: "done" });
  const failed = lookUpApp(ask, "com.example.a", forever()).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(asked.length).toBe(10);
  await vi.advanceTimersByTimeAsync(1);
  expect(await failed).toMatchObject({
    message: "Request took too long to complete. Try again or change search url",
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked.length).toBe(10);
});

test("a hanging call is abandoned too", async () => {
  const ask = () => new Promise<Answer>(() => {});
  const failed = lookUpApp(ask, "com.example.a", forever()).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await failed).toMatchObject({
    message: "Request took too long to complete. Try again or change search url",
  });
});

test("an unreachable store is not an error: the app is entered manually", async () => {
  const { ask } = searching(1, { qid: "q1", status: "unreachable" });
  const found = lookUpApp(ask, "com.example.a", forever());
  await vi.advanceTimersByTimeAsync(3000);
  expect(await found).toMatchObject({ items: [], reachable: false });
});

test("leaving aborts the search", async () => {
  const { ask, asked } = searching(100, {});
  const leaving = new AbortController();
  const failed = lookUpApp(ask, "com.example.a", leaving.signal).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(3000);
  leaving.abort();
  expect(await failed).toMatchObject({ name: "AbortError" });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(asked.length).toBe(2);
});
