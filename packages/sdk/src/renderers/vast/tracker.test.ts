import { expect, test } from "vitest";
import { tracker } from "./tracker.ts";

function set(own: string[] = []) {
  const sent: string[] = [];
  const state = { playhead: () => 3661.5, asset: () => "https://cdn.test/a b.mp4" };
  return { sent, tracked: tracker(own, state, (url) => sent.push(url)) };
}

test("an event is tracked once, however often it happens, and an address that it names twice is called once", () => {
  const { sent, tracked } = set();
  tracked.once("start", ["https://a.test/1", "https://a.test/2", "https://a.test/1"]);
  tracked.once("start", ["https://a.test/1"]);
  expect(sent).toEqual(["https://a.test/1", "https://a.test/2"]);
  expect(tracked.isDone("start")).toBe(true);
  expect(tracked.isDone("complete")).toBe(false);
});

test("an event that may happen again is tracked each time", () => {
  const { sent, tracked } = set();
  tracked.fire(["https://a.test/pause"]);
  tracked.fire(["https://a.test/pause"]);
  tracked.fire(undefined);
  expect(sent).toHaveLength(2);
});

test("what the SDK reports from its queue is not called", () => {
  const { sent, tracked } = set(["https://ours.test/impression"]);
  tracked.once("impression", ["https://ours.test/impression", "https://a.test/impression"]);
  expect(sent).toEqual(["https://a.test/impression"]);
});

test("macros are filled and encoded, and unknown ones become -1", () => {
  const { sent, tracked } = set();
  tracked.error(303, ["https://a.test/?e=[ERRORCODE]&at=[ADPLAYHEAD]&file=[ASSETURI]&no=[UNKNOWN]&b=[lower]"]);
  expect(sent).toEqual([
    "https://a.test/?e=303&at=01%3A01%3A01.500&file=https%3A%2F%2Fcdn.test%2Fa%20b.mp4&no=-1&b=[lower]",
  ]);
  tracked.reason(2, ["https://a.test/?r=[REASON]", "https://a.test/?c=[CACHEBUSTING]"]);
  expect(sent[1]).toBe("https://a.test/?r=2");
  expect(sent[2]).toMatch(/\?c=\d{8}$/);
});
