import { z } from "zod";
import { SIGN_UP_ROLES } from "./accounts.ts";
import { SOCIAL_SERVICES } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { Done } from "./fields.ts";
import { CODE_STEP } from "./person-fields.ts";

const Service = z.strictObject({ service: z.enum(SOCIAL_SERVICES) });
const Reqid = z.string().min(1).max(128);

/** Without `reqid` it starts a sign-in; with `reqid` and a code it completes one that stopped at `require_otp_code`. */
export const socialLogin = defineCall({
  method: "POST",
  path: "/login/{service}",
  summary:
    "Sign in with an identity provider: returns where to send the browser, or a session if reqid and a code are given",
  access: "public",
  params: Service,
  query: z.strictObject({
    role: z.enum(SIGN_UP_ROLES).optional(),
    redirect_to: z.string().max(2048).optional(),
    reqid: Reqid.optional(),
    otp_code: z.string().max(16).optional(),
  }),
  body: z.strictObject({ reqid: Reqid.optional(), ...CODE_STEP }).default({}),
  reply: z.object({
    ok: z.literal(1),
    redirect_to: z.string(),
    user_id: z.uuid().optional(),
  }),
});

/**
 * The identity provider sends the browser here. The reply redirects to one of our pages, with `error` and `reqid` in
 * its query if a step is left.
 */
export const socialReturn = defineCall({
  method: "GET",
  path: "/login/{service}/return",
  summary: "Receive the browser from an identity provider (OpenID Connect Core, section 3.1.2.5)",
  access: "public",
  params: Service,
  query: z.record(z.string().max(64), z.unknown()),
  reply: z.object({}),
});

/** The profile page navigates here; the reply redirects to the identity provider. */
export const linkSocial = defineCall({
  method: "GET",
  path: "/profile/{service}",
  summary: "Link an identity provider's account to the signed-in user",
  access: "credentials.manage",
  params: Service,
  reply: z.object({}),
  changesState: true,
});

export const unlinkSocial = defineCall({
  method: "POST",
  path: "/profile/{service}",
  summary: "Unlink an identity provider's account",
  access: "credentials.manage",
  params: Service,
  body: z.strictObject({ del: z.literal(1) }),
  reply: Done,
});
