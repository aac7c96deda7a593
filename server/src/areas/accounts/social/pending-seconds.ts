/** How long somebody may take at the network, and again for what is left to do afterwards. */
export const PENDING_SECONDS = 600;
