import { type SocialService, mayUse } from "@millrace/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../../platform/http/caller.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { openSession } from "../sessions/open-session.ts";
import { homeOf, safeRedirect } from "../sessions/redirect-to.ts";
import { resolveIdentity } from "./resolve-identity.ts";
import { askProvider } from "./ask-provider.ts";
import type { Social } from "./begin-social.ts";
import { socialBinding } from "./social-binding.ts";
import type { Identity } from "./identity.ts";
import { linkIdentity } from "./link-identity.ts";
import { type PendingAt, keepPending, takePending } from "./pending-request.ts";

interface Return {
  service: SocialService;
  query: Record<string, unknown>;
  request: FastifyRequest;
  reply: FastifyReply;
  /** The user signed in to this browser. */
  caller: Caller | null;
}

/**
 * Completes the flow that `beginSocial` began, once and only in the same browser, and returns the path to redirect to.
 * The query's `error` has what went wrong or which step is left.
 */
export async function oauthCallback(social: Social, back: Return): Promise<string> {
  const { service, query, request } = back;
  const state = typeof query["state"] === "string" ? query["state"] : "";
  const found = await takePending(social, request, { reqid: state, step: "away", service });
  if (!found) return withQuery(back.caller ? "/profile" : "/login", { error: "reqid_expired", service });
  const pending = found.payload;
  const refuse = (error: string) => withQuery(pending.linkUserId === null ? "/login" : "/profile", { error, service });
  // Other errors appear only in the identity provider's own log, never in our texts.
  if (query["error"] !== undefined) return refuse(query["error"] === "access_denied" ? "access_denied" : "other");
  const identity = await askProvider(social, request, { ...pending, service, state });
  if (!identity) return refuse("other");
  if (pending.linkUserId === null) return signIn(social, back, identity, pending);
  const error = await link(social, back, identity, pending.linkUserId);
  return error === null ? "/profile" : refuse(error);
}

async function signIn(
  social: Social,
  { service, request, reply }: Return,
  identity: Identity,
  { role, redirectTo }: PendingAt<"away">,
): Promise<string> {
  const { subject, email, name, surname } = identity;
  const resolved = await resolveIdentity(social, { service, identity, role, request });
  if (resolved.kind === "refused") return withQuery("/login", { error: resolved.error, service });
  if (resolved.kind === "no_email") {
    const reqid = await keepPending(social, { request, reply }, { service, pending: { step: "identity", subject } });
    const preset = { name, surname, role, email: email ?? "" };
    return withQuery("/signup", {
      error: "no_email",
      service,
      reqid,
      ...preset,
      redirect_to: safeRedirect(redirectTo ?? undefined, ""),
    });
  }
  const { user, home } = resolved;
  const goOnAt = safeRedirect(redirectTo ?? undefined, homeOf(home));
  if (resolved.kind === "code") {
    const pending = { step: "code", userId: user.id, subject, email, redirectTo: goOnAt } as const;
    const reqid = await keepPending(social, { request, reply }, { service, pending });
    return withQuery("/login", { error: "require_otp_code", service, reqid });
  }
  await openSession(social, { request, reply }, { userId: user.id, accountId: home.accountId });
  socialBinding.unbind(request, reply);
  return goOnAt;
}

/** Returns null on success, or why it cannot be linked. The user must still be signed in and still have the right. */
async function link(
  social: Social,
  { service, request, reply, caller }: Return,
  { subject, email, emailVerified }: Identity,
  userId: number,
): Promise<string | null> {
  const isStillThere =
    caller?.userId === userId && !caller.byToken && !caller.mfaPending && mayUse("credentials.manage", caller);
  if (!isStillThere) return "reqid_expired";
  if (emailVerified === false) return "email_not_verify";
  const by = { caller, request, accountId: caller.accountId };
  const error = await inTransaction(social.pool, (client) =>
    linkIdentity(social, client, { service, subject, userId, email }, by),
  );
  if (error !== null) return error;
  socialBinding.unbind(request, reply);
  return null;
}

/** One of our paths with the non-empty values in its query. */
function withQuery(path: string, query: Record<string, string>): string {
  return `${path}?${new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString()}`;
}
