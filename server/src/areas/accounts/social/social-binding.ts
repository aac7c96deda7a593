import { browserBinding } from "../browser-binding.ts";
import { PENDING_SECONDS } from "./pending-seconds.ts";

/** Binds a pending social sign-in to the browser that began it. */
export const socialBinding = browserBinding("millrace-social", PENDING_SECONDS);
