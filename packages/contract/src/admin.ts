import { z } from "zod";
import { AppIdentity, Pager } from "./apps.ts";
import { defineCall } from "./define-call.ts";
import { ById, Done, Micros, SearchedPage, Uuid } from "./fields.ts";
import { TEXTS } from "./texts.ts";

const Reason = z.string().trim().min(1, TEXTS.required).max(500);
const When = z.iso.datetime();

const Owner = z.object({ uuid: Uuid, name: z.string(), email: z.string() });

export const AdminUser = z.object({
  uuid: Uuid,
  name: z.string(),
  email: z.string(),
  ctime: When,
  last_seen_at: When.nullable(),
  blocked: z.boolean(),
  blocked_reason: z.string().nullable(),
  can_apps: z.boolean(),
  can_campaign: z.boolean(),
  apps: z.int(),
  campaign_balance: Micros,
  is_admin: z.boolean(),
});
export type AdminUser = z.infer<typeof AdminUser>;

export const adminUsers = defineCall({
  method: "GET",
  path: "/admin/users.json",
  summary: "Find the owners of accounts by e-mail, name or id",
  access: "admin",
  query: SearchedPage,
  reply: z.object({ users: z.array(AdminUser), pager: Pager }),
});

export const adminApps = defineCall({
  method: "GET",
  path: "/admin/apps.json",
  summary: "Find apps of all accounts by name, bundle id, store id or their owner's e-mail",
  access: "admin",
  query: SearchedPage,
  reply: z.object({ apps: z.array(AppIdentity.extend({ owner: Owner })), pager: Pager }),
});

export const switchToUser = defineCall({
  method: "POST",
  path: "/admin/users/{id}/switch",
  summary: "Impersonate a user, without access to passwords, codes, payouts and deletion",
  access: "admin",
  params: ById,
  reply: z.object({ redirect_to: z.string() }),
});

export const blockUser = defineCall({
  method: "POST",
  path: "/admin/users/{id}/block",
  summary: "Block or unblock the sign-in of a user and of all sub-users and managers of the account",
  access: "admin",
  params: ById,
  body: z.strictObject({ blocked: z.boolean(), reason: Reason }),
  reply: Done,
});

export const refillBalance = defineCall({
  method: "POST",
  path: "/admin/users/{id}/refill",
  summary: "Add money to an advertiser's balance, once for each `key`",
  access: "admin",
  params: ById,
  body: z.strictObject({
    amount: Micros.min(10_000, "Add at least $0.01").max(1_000_000_000_000, "Add at most $1,000,000 at once"),
    reason: Reason,
    key: Uuid,
  }),
  reply: z.object({ campaign_balance: Micros }),
});

export const moderationQueue = defineCall({
  method: "GET",
  path: "/admin/moderation.json",
  summary: "List apps that await moderation, oldest first",
  access: "admin",
  query: SearchedPage,
  reply: z.object({ apps: z.array(AppIdentity.extend({ owner: Owner, waiting_since: When })), pager: Pager }),
});

export const moderateApp = defineCall({
  method: "POST",
  path: "/admin/moderation/apps/{id}",
  summary: "Approve or ban an app; its owner is notified by mail",
  access: "admin",
  params: ById,
  body: z.strictObject({ decision: z.enum(["approve", "ban"]), reason: z.string().trim().max(500).default("") }),
  reply: Done,
});

export const AuditEntry = z.object({
  id: z.int(),
  at: When,
  /** The actor, and the impersonated user if there was one; null for the platform itself or a deleted user. */
  actor: z.string().nullable(),
  as_user: z.string().nullable(),
  account: z.string().nullable(),
  action: z.string(),
  subject: z.string(),
  details: z.record(z.string(), z.unknown()),
  address: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const auditLog = defineCall({
  method: "GET",
  path: "/admin/audit.json",
  summary: "List the audit log, newest first",
  access: "admin",
  query: SearchedPage,
  reply: z.object({ entries: z.array(AuditEntry), pager: Pager }),
});
