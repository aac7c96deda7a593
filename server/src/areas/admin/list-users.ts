import { ADMIN_ROWS_PER_PAGE, type AdminUser, type Query, type Reply, type adminUsers } from "@millrace/contract";
import { campaignBalancesOf, publisherBalancesOf } from "../payments/index.ts";
import type { AdminDeps } from "./deps.ts";
import { OWNERS } from "./find-owner.ts";
import { paged } from "../../platform/postgres/paged.ts";

interface Row {
  uuid: string;
  name: string;
  email: string;
  createdAt: Date;
  lastSeenAt: Date | null;
  blocked: boolean;
  blockedReason: string | null;
  accountId: number;
  canApps: boolean;
  canCampaign: boolean;
  apps: number;
  isAdmin: boolean;
}

const QUERY = {
  columns: `u.uuid, concat_ws(' ', u.name, nullif(u.surname, '')) AS name, u.email, u.created_at AS "createdAt",
    u.last_seen_at AS "lastSeenAt", u.blocked_at IS NOT NULL AS blocked, u.blocked_reason AS "blockedReason",
    a.id AS "accountId", a.can_apps AS "canApps", a.can_campaign AS "canCampaign", m.role = 'admin' AS "isAdmin",
    (SELECT count(*)::int FROM apps p WHERE p.account_id = a.id AND p.deleted_at IS NULL) AS apps`,
  from: `${OWNERS} WHERE $1 = '' OR strpos(u.email, lower($1)) > 0
    OR strpos(lower(u.name || ' ' || u.surname), lower($1)) > 0 OR u.uuid::text = lower($1)`,
  orderBy: "u.id DESC",
};

/** Owners of accounts, newest first, filtered by a part of their e-mail or name, or by id. */
export async function listUsers(
  { pool }: Pick<AdminDeps, "pool">,
  { search, p }: Query<typeof adminUsers>,
): Promise<Reply<typeof adminUsers>> {
  const { rows, pager } = await paged<Row>(pool, QUERY, [search], { p, perPage: ADMIN_ROWS_PER_PAGE });
  const accountIds = rows.map(({ accountId }) => accountId);
  const balances = await campaignBalancesOf(pool, accountIds);
  const earned = await publisherBalancesOf(pool, accountIds);
  const users = rows.map((row): AdminUser => ({
    uuid: row.uuid,
    name: row.name,
    email: row.email,
    ctime: row.createdAt.toISOString(),
    last_seen_at: row.lastSeenAt?.toISOString() ?? null,
    blocked: row.blocked,
    blocked_reason: row.blockedReason,
    can_apps: row.canApps,
    can_campaign: row.canCampaign,
    apps: row.apps,
    balance: earned.get(row.accountId) ?? 0,
    campaign_balance: balances.get(row.accountId) ?? 0,
    is_admin: row.isAdmin,
  }));
  return { users, pager };
}
