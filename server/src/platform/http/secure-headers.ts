import type { FastifyInstance, FastifyReply } from "fastify";

/**
 * Headers of every reply. A reply that is no page of ours may load and run nothing, wherever it is shown;
 * `pagePolicy` opens what our pages need, for the page alone.
 */
export function secureHeaders(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    void reply.headers({
      "x-content-type-options": "nosniff",
      "referrer-policy": "strict-origin-when-cross-origin",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    });
    if (request.protocol === "https") void reply.header("strict-transport-security", "max-age=31536000");
  });
}

/** The policy of a page of ours: scripts and styles from this origin or with this reply's nonce, frames of this origin. */
export function pagePolicy(reply: FastifyReply, nonce: string): void {
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: https:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  void reply.headers({
    "content-security-policy": policy.join("; "),
    "cross-origin-opener-policy": "same-origin",
    "x-frame-options": "DENY",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
  });
}

/** The SDK's scripts are for pages of every origin. */
export const SDK_HEADERS = { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" };

/** The page that an ad becomes: whatever it runs, it has no origin and so reaches nothing of ours. */
export const FRAME_HEADERS = {
  ...SDK_HEADERS,
  "content-security-policy": "sandbox allow-scripts allow-popups; frame-ancestors *",
};

/** The demo's page: our scripts, our frames, and pictures from wherever the ads have theirs. */
export const DEMO_PAGE_HEADERS = {
  "content-security-policy":
    "default-src 'self'; img-src 'self' data: https: http:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
};
