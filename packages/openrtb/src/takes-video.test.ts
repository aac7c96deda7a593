import { expect, test } from "vitest";
import type { Video } from "./media.ts";
import { skipOffset, takesVideo } from "./takes-video.ts";

const film = { type: "video/mp4", durationMs: 15_040, bitrateKbps: 800 };

test.each<[string, Partial<Video>, boolean]>([
  ["of any length", {}, true],
  ["of another type", { mimes: ["video/webm"] }, false],
  ["of several types", { mimes: ["video/webm", "video/mp4"] }, true],
  ["of QuickTime only", { mimes: ["video/quicktime"] }, false],
  ["without a version of VAST that we write", { protocols: [9, 10] }, false],
  ["with wrappers only", { protocols: [5, 6, 8, 12, 14] }, false],
  ["with VAST 2", { protocols: [2] }, true],
  ["with VAST 4.2", { protocols: [13] }, true],
  ["of at least its length", { minduration: 15 }, true],
  ["longer than it", { minduration: 16 }, false],
  ["of at most its length, to the second", { maxduration: 15 }, true],
  ["shorter than it", { maxduration: 14 }, false],
  ["of exactly its length", { rqddurs: [10, 15] }, true],
  ["of exactly another length", { rqddurs: [10, 30] }, false],
  ["within the bit rates", { minbitrate: 300, maxbitrate: 1500 }, true],
  ["of a higher bit rate", { minbitrate: 900 }, false],
  ["of a lower bit rate", { maxbitrate: 700 }, false],
  ["without a limit of the bit rate", { maxbitrate: 0 }, true],
  ["that is streamed", { delivery: [1] }, false],
  ["that is loaded progressively", { delivery: [1, 2] }, true],
  ["over the content", { linearity: 2 }, false],
  ["of the player's size", { w: 640, h: 360 }, true],
  ["of a tiny player", { w: 32, h: 32 }, true],
])("a video in a place for videos %s", (_, place, takes) => {
  expect(takesVideo({ mimes: ["video/mp4"], ...place }, film)).toBe(takes);
});

test.each<[Pick<Video, "skip" | "skipmin" | "skipafter">, number, number | null]>([
  [{}, 5, 5],
  [{}, 0, null],
  [{ skip: 0 }, 5, null],
  [{ skip: 1 }, 5, 5],
  [{ skip: 1, skipafter: 10 }, 5, 10],
  [{ skip: 1, skipafter: 3 }, 5, 5],
  [{ skip: 1, skipmin: 20 }, 5, null],
  [{ skip: 1, skipmin: 10 }, 5, 5],
  [{}, 15, 15],
  [{ skip: 1, skipafter: 16 }, 5, null],
])("a place with %j lets a video that may be skipped after %i s be skipped after %j s", (place, skipAfter, offset) => {
  expect(skipOffset(place, { durationMs: film.durationMs, skipAfter })).toBe(offset);
});
