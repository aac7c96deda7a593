import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { someVideo } from "../../server/src/platform/videos/testing/some-videos.ts";

/** A real MP4 of four seconds, for a file input. */
export const someFilm = async () => ({
  name: "tide.mp4",
  mimeType: "video/mp4",
  buffer: await someVideo("h264.mp4"),
});

/** Starts a video by keyboard, and expects that it plays. */
export async function isPlayed(video: Locator): Promise<void> {
  await video.focus();
  await video.press("Space");
  const seconds = () => video.evaluate((it: HTMLVideoElement) => (it.error ? it.error.message : it.currentTime));
  await expect.poll(seconds, { timeout: 5000 }).toBeGreaterThan(0.2);
}
