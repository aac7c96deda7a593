import { browserBinding } from "../browser-binding.ts";

/** How long somebody may take at the network, and again for what is left to do afterwards. */
export const PENDING_SECONDS = 600;

export const {
  read: readBinding,
  bind: bindBrowser,
  unbind: unbindBrowser,
} = browserBinding("millrace-social", PENDING_SECONDS);
