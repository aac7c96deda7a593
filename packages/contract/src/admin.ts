import { z } from "zod";
import { AppIdentity, Pager } from "./apps.ts";
import { defineCall } from "./define-call.ts";
import { ById, Micros, Uuid } from "./fields.ts";
import { TEXTS } from "./texts.ts";

const Search = z.strictObject({
  search: z.string().trim().max(100).default(""),
  p: z.coerce.number().int().min(0).max(100_000).default(0),
});
const Reason = z.string().trim().min(1, TEXTS.required).max(500);
const When = z.iso.datetime();
const Done = z.object({ ok: z.literal(1) });

/** The owner of an object's account. */
const Owner = z.object({ uuid: Uuid, name: z.string(), email: z.string() });

export const AdminUser = z.object({
  uuid: Uuid,
  name: z.string(),
  email: z.string(),
  ctime: When,
  last_seen_at: When.nullable(),
  blocked: z.boolean(),
  /** The reason of a block. */
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
  summary: "Owners of accounts, found by e-mail, name or id",
  access: "admin",
  query: Search,
  reply: z.object({ users: z.array(AdminUser), pager: Pager }),
});

export const adminApps = defineCall({
  method: "GET",
  path: "/admin/apps.json",
  summary: "Apps of all accounts, found by name, bundle or store id, or their owner's e-mail",
  access: "admin",
  query: Search,
  reply: z.object({ apps: z.array(AppIdentity.extend({ owner: Owner })), pager: Pager }),
});

export const switchToUser = defineCall({
  method: "POST",
  path: "/admin/users/{id}/switch",
  summary: "Visit a user's account as they see it; passwords, codes, payouts and deletion stay closed",
  access: "admin",
  params: ById,
  reply: z.object({ redirect_to: z.string() }),
});

export const blockUser = defineCall({
  method: "POST",
  path: "/admin/users/{id}/block",
  summary: "Keep a user and all sub-users and managers of the account from signing in, or let them in again",
  access: "admin",
  params: ById,
  body: z.strictObject({ blocked: z.boolean(), reason: Reason }),
  reply: Done,
});

export const refillBalance = defineCall({
  method: "POST",
  path: "/admin/users/{id}/refill",
  summary: "Put money on an advertiser's balance; the same `key` is booked once",
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
  summary: "What waits to be looked at before it may serve, the longest waiting first",
  access: "admin",
  query: Search,
  reply: z.object({ apps: z.array(AppIdentity.extend({ owner: Owner, waiting_since: When })), pager: Pager }),
});

export const moderateApp = defineCall({
  method: "POST",
  path: "/admin/moderation/apps/{id}",
  summary: "Let an app serve, or ban it; its owner is told by mail",
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
  summary: "Who did what, the newest first",
  access: "admin",
  query: Search,
  reply: z.object({ entries: z.array(AuditEntry), pager: Pager }),
});
