// @vitest-environment jsdom
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { player } from "./player.ts";
import type { VastAd } from "./read-vast.ts";
import { tracker } from "./tracker.ts";

const AD = { durationSeconds: 30, progress: [], tracking: new Map() } as unknown as VastAd;
let sees = true;
beforeEach(() => {
  sees = true;
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => (sees ? "visible" : "hidden"));
});
afterEach(() => void vi.restoreAllMocks());

/** A video that plays as soon as it is told to, and what was done to it. */
function someVideo() {
  const media = document.createElement("video");
  const calls: string[] = [];
  vi.spyOn(media, "play").mockImplementation(async () => void calls.push("play"));
  vi.spyOn(media, "pause").mockImplementation(() => void calls.push("pause"));
  vi.spyOn(media, "load").mockImplementation(() => {});
  const nothing = () => {};
  const on = { started: vi.fn<() => void>(), progress: nothing, completed: nothing, failed: nothing, stalled: nothing };
  const state = { playhead: () => 0, asset: () => "" };
  const playing = player(media, AD, tracker([], state, nothing), { ...on, event: nothing }, 400);
  onTestFinished(() => playing.stop());
  return { media, calls, playing, started: on.started };
}

function turnPage(isSeen: boolean) {
  sees = isSeen;
  document.dispatchEvent(new Event("visibilitychange"));
}

test("a video that begins on a hidden page pauses until the page is seen again", async () => {
  const { media, calls, playing, started } = someVideo();
  await playing.play();
  turnPage(false);
  media.dispatchEvent(new Event("playing"));
  expect([calls, started.mock.calls.length]).toEqual([["play", "pause"], 1]);
  turnPage(true);
  expect(calls).toEqual(["play", "pause", "play"]);
});

test("a video stands still while its page is hidden", async () => {
  const { media, calls, playing } = someVideo();
  await playing.play();
  media.dispatchEvent(new Event("playing"));
  turnPage(false);
  turnPage(true);
  expect(calls).toEqual(["play", "pause", "play"]);
});
