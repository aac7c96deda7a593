import type { Format, Reply, demoConfig } from "@millrace/contract";

export type DemoConfig = Reply<typeof demoConfig>;

/** Zones that only this page uses, so that its numbers are separate from the app's generated traffic. */
export const ZONES = {
  banner: "sdk_demo_banner",
  interstitial: "sdk_demo_interstitial",
  video: "sdk_demo_video",
  rewarded: "sdk_demo_rewarded",
  native: "sdk_demo_native",
  audio: "sdk_demo_audio",
} as const satisfies Record<Format, string>;
