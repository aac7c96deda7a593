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

/** What our pages may load beyond their own origin, by directive of their policy. */
export type PageSources = Partial<
  Record<
    "script-src" | "style-src" | "img-src" | "font-src" | "media-src" | "connect-src" | "frame-src" | "form-action",
    readonly string[]
  >
>;

const INLINE = "'unsafe-inline'";

/**
 * The policy of a page of ours: scripts and styles from this origin or with this reply's nonce, frames of this origin, and
 * what is allowed besides.
 */
export function pagePolicy(reply: FastifyReply, nonce: string, allowed: PageSources = {}): void {
  const withNonce = `'nonce-${nonce}'`;
  const sources = (directive: keyof PageSources, ...own: string[]) =>
    [directive, ...own, ...(allowed[directive] ?? [])].join(" ");
  const policy = [
    "default-src 'self'",
    sources("script-src", "'self'", withNonce),
    // A nonce would void the permission of inline styles.
    sources("style-src", "'self'", ...(allowed["style-src"]?.includes(INLINE) === true ? [] : [withNonce])),
    sources("img-src", "'self'", "data:", "https:"),
    sources("font-src", "'self'"),
    sources("media-src", "'self'"),
    sources("connect-src", "'self'"),
    sources("frame-src", "'self'"),
    "object-src 'none'",
    "base-uri 'none'",
    sources("form-action", "'self'"),
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
