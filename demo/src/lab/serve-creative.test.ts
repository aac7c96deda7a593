import { readFile, readdir } from "node:fs/promises";
import { createFile, MP4BoxBuffer, type Movie } from "mp4box";
import { expect, test } from "vitest";
import { SUBJECTS } from "../creatives/subjects.data.ts";
import { SPOT_SECONDS } from "./decide-bid.ts";
import { VIDEO_SIZE } from "./serve-creative.ts";

const MEDIA = new URL("../../media/", import.meta.url);

/** The file's metadata, parsed by the third-party library MP4Box. */
async function movieIn(name: string): Promise<Movie> {
  const bytes = await readFile(new URL(name, MEDIA));
  return new Promise((resolve, reject) => {
    const file = createFile();
    file.onReady = resolve;
    file.onError = (_module, message) => reject(new Error(`${name}: ${message}`));
    file.appendBuffer(MP4BoxBuffer.fromArrayBuffer(Uint8Array.from(bytes).buffer, 0), true);
    reject(new Error(`${name} has no movie in it`));
  });
}

test.each(SUBJECTS.map(({ slug }) => slug))("the video of %s matches its VAST document", async (slug) => {
  const { duration, timescale, videoTracks, isProgressive } = await movieIn(`${slug}.mp4`);
  expect([duration / timescale, isProgressive]).toEqual([SPOT_SECONDS, true]);
  expect(videoTracks.map(({ codec, video }) => [codec, video])).toEqual([["avc1.42c01e", VIDEO_SIZE]]);
});

test("the media folder has one video per advertiser and the shared audio file", async () => {
  const names = [...SUBJECTS.map(({ slug }) => `${slug}.mp4`), "spot.mp3", "README.md"];
  expect((await readdir(MEDIA)).toSorted()).toEqual(names.toSorted());
});

test("the audio file is as long as its VAST document says: frames of 1,152 samples at 44.1 kHz", async () => {
  const bytes = await readFile(new URL("spot.mp3", MEDIA));
  const frames = bytes.toString("latin1").split("\xff\xfb\x10\xc4").length - 1;
  expect((frames * 1152) / 44_100).toBeCloseTo(SPOT_SECONDS, 1);
});
