import type { SDK_VERSION } from "@millrace/contract";

/** Typed as the contract's literal, so that a release that forgets this line does not compile. */
export const VERSION: typeof SDK_VERSION = "1.0.0";
