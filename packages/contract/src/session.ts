import { z } from "zod";
import { ROLES } from "./access.ts";
import { defineCall } from "./define-call.ts";
import { Done, Micros } from "./fields.ts";

/** The signed-in user. */
export const Session = z.object({
  uuid: z.uuid(),
  name: z.string(),
  email: z.string(),
  ctime: z.iso.datetime(),
  current_role: z.enum(["apps", "campaign"]),
  /** The input of the table of rights, with `roles`, `is_switched` and `has_all_apps`. */
  role: z.enum(ROLES),
  roles: z.object({ can_apps: z.boolean(), can_campaign: z.boolean() }),
  /** Null for a role that may not see the account's money. */
  user_balance: z.object({ balance: Micros, revenue: Micros }).nullable(),
  campaign_balance: Micros.nullable(),
  globalConfig: z.object({ is_first_visit: z.boolean(), is_new: z.boolean(), show_agreement: z.int().min(0).max(1) }),
  need_verify_otp: z.boolean(),
  is_switched: z.boolean(),
  has_all_apps: z.boolean(),
  /** The first day of the week in the user's calendars. */
  week_start_on_sunday: z.boolean(),
  admin_apps: z.boolean(),
  /** Whether the platform runs on generated traffic, and how much of the history exists. */
  demo: z.object({ running: z.boolean(), history_progress: z.number().min(0).max(1) }),
});
export type Session = z.infer<typeof Session>;

export const logout = defineCall({
  method: "GET",
  path: "/logout",
  summary: "End the session",
  access: "public",
  reply: z.object({ redirect_to: z.string() }),
  changesState: true,
  mayBeTyped: true,
});

export const session = defineCall({
  method: "GET",
  path: "/session.json",
  summary: "Get the signed-in user, their role and balances",
  access: "session.read",
  reply: Session,
});

export const returnToAdmin = defineCall({
  method: "POST",
  path: "/return_to_admin",
  summary: "End the impersonation of a user",
  access: "session.read",
  reply: z.object({ redirect_to: z.string() }),
});

export const acceptAgreement = defineCall({
  method: "POST",
  path: "/show_agreement",
  summary: "Accept the current terms",
  access: "credentials.manage",
  query: z.strictObject({ accept: z.literal("now") }),
  reply: Done,
});
