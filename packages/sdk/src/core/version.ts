import type { SDK_VERSION } from "@millrace/contract";

/** The type is the contract's literal: a release that forgets this line does not compile. */
export const VERSION: typeof SDK_VERSION = "1.0.0";
