/** How long a user may take at the identity provider, and again for the step after it. */
export const PENDING_SECONDS = 600;
