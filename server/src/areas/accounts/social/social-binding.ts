import { browserBinding } from "../browser-binding.ts";
import { PENDING_SECONDS } from "./pending-seconds.ts";

/** Ties a social sign-in on its way to the browser that began it. */
export const socialBinding = browserBinding("millrace-social", PENDING_SECONDS);
