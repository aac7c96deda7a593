import type { FastifyInstance, FastifyReply } from "fastify";

const ON_EVERY_REPLY = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

/** Headers of every reply. By default a reply may load and run nothing; `pagePolicy` allows what our pages need. */
export function secureHeaders(app: FastifyInstance): void {
  // With a callback: an async hook costs every request a promise.
  app.addHook("onRequest", (request, reply, done) => {
    void reply.headers(ON_EVERY_REPLY);
    if (request.protocol === "https") void reply.header("strict-transport-security", "max-age=31536000");
    done();
  });
}

/** The other origins that our pages may load from, by policy directive. */
export type PageSources = Partial<
  Record<
    "script-src" | "style-src" | "img-src" | "font-src" | "media-src" | "connect-src" | "frame-src" | "form-action",
    readonly string[]
  >
>;

const INLINE = "'unsafe-inline'";

/**
 * The policy of our pages: scripts and styles from this origin or with this reply's nonce, frames of this origin, and
 * the given exceptions. Pages that are the same in every reply have no nonce.
 */
export function pagePolicy(reply: FastifyReply, nonce: string | null, allowed: PageSources = {}): void {
  const withNonce = nonce === null ? [] : [`'nonce-${nonce}'`];
  const sources = (directive: keyof PageSources, ...own: string[]) =>
    [directive, ...own, ...(allowed[directive] ?? [])].join(" ");
  const policy = [
    "default-src 'self'",
    sources("script-src", "'self'", ...withNonce),
    // A nonce would void the permission of inline styles.
    sources("style-src", "'self'", ...(allowed["style-src"]?.includes(INLINE) === true ? [] : withNonce)),
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

/** A package of the SDK: with this type it is sent as it is, because a compressed reply would be taken for its compression. */
export const PACKAGE_HEADERS = { ...SDK_HEADERS, "content-type": "application/gzip" };

/** The SDK of platforms that have no packages of their own. */
export const ARCHIVE_HEADERS = { ...SDK_HEADERS, "content-type": "application/zip" };

/** The page of an ad: it has no origin, so its scripts cannot reach our data. */
export const FRAME_HEADERS = {
  ...SDK_HEADERS,
  "content-security-policy": "sandbox allow-scripts allow-popups; frame-ancestors *",
};

/**
 * The demo's pages: our scripts, our frames, and from the ads' hosts images, media, documents and their trackers. Only our own
 * pages may frame one, and only where `framedBy` says so.
 */
export const demoPageHeaders = (framedBy: "none" | "self"): Record<string, string> => ({
  "content-security-policy": `default-src 'self'; img-src 'self' data: https: http:; media-src 'self' https: http:; connect-src 'self' https: http:; object-src 'none'; base-uri 'none'; frame-ancestors '${framedBy}'`,
});
