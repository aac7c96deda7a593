import type { Reply, demoConfig } from "@millrace/contract";

export type DemoConfig = Reply<typeof demoConfig>;

/** Zones that only this page uses, so that its numbers are separate from the app's generated traffic. */
export const ZONES = { banner: "sdk_demo_banner", interstitial: "sdk_demo_interstitial" } as const;
