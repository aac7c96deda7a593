import { z } from "zod";
import { PASSWORD_LENGTH } from "./constants.ts";
import { READERS, defineCall } from "./define-call.ts";
import { Micros } from "./fields.ts";
import { TEXTS } from "./texts.ts";

/** What the signed-in page knows of its user; money is in micro-dollars. */
export const Session = z.object({
  name: z.string(),
  email: z.string(),
  ctime: z.iso.datetime(),
  current_role: z.enum(["apps", "campaign"]),
  roles: z.object({ can_apps: z.boolean(), can_campaign: z.boolean() }),
  user_balance: z.object({ balance: Micros, revenue: Micros }),
  campaign_balance: Micros,
  globalConfig: z.object({ is_first_visit: z.boolean(), is_new: z.boolean(), show_agreement: z.int() }),
  need_verify_otp: z.boolean(),
  is_switched: z.boolean(),
  admin_apps: z.boolean(),
  /** True while the platform runs on generated traffic; the page says so. */
  demo: z.object({ running: z.boolean(), history_progress: z.number().min(0).max(1) }),
});
export type Session = z.infer<typeof Session>;

export const login = defineCall({
  method: "POST",
  path: "/login.json",
  summary: "Sign in with e-mail and password; the session is a cookie",
  access: "public",
  body: z.strictObject({
    email: z.string().trim().min(1, TEXTS.required).max(254).pipe(z.email(TEXTS.invalidEmail)),
    password: z.string().min(1, TEXTS.required).max(PASSWORD_LENGTH.max, TEXTS.passwordTooLong),
    redirect_to: z.string().max(2048).optional(),
  }),
  reply: z.object({ redirect_to: z.string() }),
});

export const logout = defineCall({
  method: "GET",
  path: "/logout",
  summary: "End the session",
  access: "public",
  reply: z.object({ redirect_to: z.string() }),
  changesState: true,
});

export const session = defineCall({
  method: "GET",
  path: "/session.json",
  summary: "Who is signed in, in which role, with which balances",
  access: READERS,
  reply: Session,
});
