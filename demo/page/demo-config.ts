import type { Reply, demoConfig } from "@millrace/contract";

/** What the platform says of the app whose ads this page shows. */
export type DemoConfig = Reply<typeof demoConfig>;

/** Places of this page alone, so that its numbers stand apart from the generated traffic of the same app. */
export const ZONES = { banner: "sdk_demo_banner", interstitial: "sdk_demo_interstitial" } as const;
