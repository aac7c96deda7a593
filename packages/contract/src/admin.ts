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
  balance: Micros,
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

/** Whether an app may serve: only once it is approved, and no longer once it is banned. */
const AppModeration = z.enum(["check", "live", "banned"]);
export type AppModeration = z.infer<typeof AppModeration>;

export const adminApps = defineCall({
  method: "GET",
  path: "/admin/apps.json",
  summary: "Find apps of all accounts by name, bundle id, store id or their owner's e-mail",
  access: "admin",
  query: SearchedPage,
  reply: z.object({
    apps: z.array(AppIdentity.extend({ owner: Owner, moderation: AppModeration })),
    pager: Pager,
  }),
});

/** A figure of today so far, and of yesterday up to the same time of day. */
const SoFar = z.object({ today: z.int(), yesterday: z.int() });
/** What the process has counted since it started, by outcome. */
const Counts = z.array(z.object({ result: z.string(), count: z.number() }));

/** How a partner's calls ended, and how long they took. Requests without a record of this are left out. */
const PartnerCalls = z.object({
  asked: z.int(),
  bids: z.int(),
  timeouts: z.int(),
  /** Answers that were neither a bid nor a no-bid, and calls that failed. */
  errors: z.int(),
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
});

export const PlatformFigures = z.object({
  at: When,
  /** The same time of yesterday. */
  compared_until: When,
  figures: z.object({
    requests: SoFar,
    impressions: SoFar,
    /** Impressions and clicks that do not count. */
    invalid: SoFar,
    /** What publishers earn, and what the platform keeps of the cleared prices. */
    revenue: SoFar,
    fee: SoFar,
  }),
  /** How long the last hour's auctions took; null if there were none. */
  auctions: z.object({ count: z.int(), p50_ms: z.number(), p95_ms: z.number() }).nullable(),
  /** Accounts by their owners and apps, and how many of them are of the last 24 hours. */
  accounts: z.object({ users: z.int(), new_users: z.int(), apps: z.int(), new_apps: z.int() }),
  partners: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      active: z.boolean(),
      /** Requests sent today. */
      asked: z.int(),
      calls: z.object({ today: PartnerCalls, yesterday: PartnerCalls }),
      impressions: SoFar,
      revenue: SoFar,
    }),
  ),
  waiting: z.object({
    moderation: z.object({ count: z.int(), since: When.nullable() }),
    creatives: z.object({ count: z.int(), since: When.nullable() }),
    support: z.object({ count: z.int(), since: When.nullable() }),
    /** Disputed deductions. */
    disputes: z.object({ count: z.int(), since: When.nullable() }),
    /** Ordered payouts that an admin makes by hand. */
    payouts: z.object({ count: z.int(), since: When.nullable() }),
    /** Differences of books and events that no admin has accepted, and days of apps of which too much was deducted. */
    drifts: z.object({ count: z.int(), since: When.nullable() }).optional(),
    excesses: z.object({ count: z.int(), since: z.null() }).optional(),
    /** Background work that was given up in the last seven days. */
    failed_jobs: z.object({ count: z.int(), since: When.nullable() }).optional(),
    /** Background work that is due, and that failed and will be tried again. */
    jobs: z.object({ waiting: z.int(), retrying: z.int(), since: When.nullable() }),
    /** Segments of the journal that the analytical store does not have yet. */
    journal: z.object({ segments: z.int(), bytes: z.int() }),
  }),
  /** Of all exchange processes; null while none is heard of. */
  since_start: z
    .object({
      /** When the one that runs longest was started. */
      started_at: When,
      processes: z.int(),
      imps: Counts,
      invalid_events: Counts,
      notices: Counts,
      refused_vast: Counts,
      paused_partners: z.int(),
    })
    .nullable(),
});
export type PlatformFigures = z.infer<typeof PlatformFigures>;

export const adminPlatform = defineCall({
  method: "GET",
  path: "/admin/platform.json",
  summary: "Get the platform's figures of today against the same time yesterday, its partners, and what waits",
  access: "admin",
  reply: PlatformFigures,
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

export const adminRefills = defineCall({
  method: "GET",
  path: "/admin/users/{id}/refills.json",
  summary: "List an advertiser's last 20 refills, newest first, with what was taken back of each",
  access: "admin",
  params: ById,
  reply: z.object({
    refills: z.array(z.object({ key: Uuid, at: When, reason: z.string(), amount: Micros, taken_back: Micros })),
  }),
});
export type AdminRefills = z.infer<typeof adminRefills.reply>;

export const takeBackRefill = defineCall({
  method: "POST",
  path: "/admin/users/{id}/take_back",
  summary:
    "Take a mistaken refill, or a part of it, off an advertiser's balance, as far as it is neither spent nor held; once for each `key`",
  access: "admin",
  params: ById,
  body: z.strictObject({
    /** The key of the refill. */
    refill: Uuid,
    amount: Micros.min(1, "Take back more than $0").max(1_000_000_000_000, "Take back at most $1,000,000 at once"),
    reason: Reason,
    key: Uuid,
  }),
  reply: z.object({ campaign_balance: Micros }),
});

const MOST_CREDITED = 1_000_000_000_000;

export const creditAdvertiser = defineCall({
  method: "POST",
  path: "/admin/users/{id}/credit",
  summary:
    "Give an advertiser money of the platform's own on the campaign balance, as for invalid traffic, or take a credit back as far as it is neither spent nor held; once for each `key`, and never invoiced",
  access: "admin",
  params: ById,
  body: z.strictObject({
    /** Negative to take a credit back. */
    amount: z
      .int()
      .min(-MOST_CREDITED, "Take back at most $1,000,000 at once")
      .max(MOST_CREDITED, "Credit at most $1,000,000 at once")
      .refine((micros) => micros !== 0, "Add an amount other than 0"),
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
  body: z.strictObject({
    decision: z.enum(["approve", "ban"]),
    reason: z.string().trim().max(500).default(""),
    /** As it was listed: if another admin has decided on it since, or its owner has changed the bundle id, it is not decided. */
    seen: z.strictObject({ moderation: AppModeration, bundle_id: z.string().max(500) }).optional(),
  }),
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
