import { z } from "zod";
import { SIGN_UP_ROLES } from "./accounts.ts";
import { SOCIAL_SERVICES } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { CODE_STEP } from "./person-fields.ts";

const Service = z.strictObject({ service: z.enum(SOCIAL_SERVICES) });
const Reqid = z.string().min(1).max(128);

/** Without `reqid` it begins; with it and a code it ends a sign-in that `require_otp_code` has stopped. */
export const socialLogin = defineCall({
  method: "POST",
  path: "/login/{service}",
  summary: "Sign in through a network: where to send the browser, or, with reqid and code, the session",
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

/** The network sends the browser here; the reply is a redirect to a page of ours, with `error` and `reqid` in its query where something is left to do. */
export const socialReturn = defineCall({
  method: "GET",
  path: "/login/{service}/return",
  summary: "Where a network sends the browser back to (OpenID Connect Core, section 3.1.2.5)",
  access: "public",
  params: Service,
  query: z.record(z.string().max(64), z.unknown()),
  reply: z.object({}),
});

/** A navigation of the profile page; answered by a redirect to the network. */
export const linkSocial = defineCall({
  method: "GET",
  path: "/profile/{service}",
  summary: "Link an account of a network to the signed-in user",
  access: "credentials.manage",
  params: Service,
  reply: z.object({}),
  changesState: true,
});

export const unlinkSocial = defineCall({
  method: "POST",
  path: "/profile/{service}",
  summary: "Remove the link to an account of a network",
  access: "credentials.manage",
  params: Service,
  body: z.strictObject({ del: z.literal(1) }),
  reply: z.object({ ok: z.literal(1) }),
});
