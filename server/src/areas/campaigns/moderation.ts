import { ADMIN_ROWS_PER_PAGE, type Query, type creativeQueue, type ReviewedCreative } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { Problem } from "../../platform/http/problem.ts";
import { IS_OWNER } from "../../platform/postgres/account-owner.ts";
import { type Paged, paged } from "../../platform/postgres/paged.ts";
import type { Moderation } from "./campaign-status.ts";
import { CREATIVES, CREATIVE_COLUMNS, type CreativeRow, creativeOf } from "./creative-store.ts";

interface Row extends CreativeRow {
  moderation: ReviewedCreative["status"];
  decidedAt: Date | null;
  categories: string[];
  forChildren: boolean;
  campaign: string;
  app: ReviewedCreative["app"];
  clickLink: string;
  viewLink: string;
  ownerUuid: string;
  ownerName: string;
  ownerEmail: string;
  waitingSince: Date;
}

/** Creatives with their campaign (`c`) and its account's owner (`u`). */
const FROM = `${CREATIVES} JOIN campaigns c ON c.id = r.campaign_id
  JOIN accounts a ON a.id = c.account_id AND a.deleted_at IS NULL
  JOIN LATERAL (
    SELECT u.uuid, concat_ws(' ', u.name, nullif(u.surname, '')) AS name, u.email
    FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.account_id = a.id AND ${IS_OWNER} ORDER BY u.id LIMIT 1
  ) u ON true
  WHERE r.deleted_at IS NULL AND ($1 = ''
    OR strpos(lower(c.name), lower($1)) > 0 OR strpos(lower(r.store_id), lower($1)) > 0
    OR strpos(lower(r.click_url), lower($1)) > 0 OR strpos(lower(c.click_link), lower($1)) > 0 OR strpos(u.email, lower($1)) > 0 OR r.uuid::text = lower($1))`;

const IS_WAITING = "r.moderation IN ('new', 'edited')";
const DECIDED = {
  waiting: { condition: IS_WAITING, orderBy: "r.waiting_since, r.id" },
  approved: { condition: "r.moderation = 'approved'", orderBy: "r.moderated_at DESC, r.id DESC" },
  blocked: { condition: "r.moderation = 'blocked'", orderBy: "r.moderated_at DESC, r.id DESC" },
} as const;

/** The creatives of all accounts that wait for a moderator, the longest waiting first, or have a decision, the latest first. */
export async function reviewedCreatives(
  pool: Pool,
  { search, p, decision }: Query<typeof creativeQueue>,
): Promise<Paged<ReviewedCreative>> {
  const { condition, orderBy } = DECIDED[decision];
  const { rows, pager } = await paged<Row>(
    pool,
    {
      columns: `${CREATIVE_COLUMNS}, c.name AS campaign, json_build_object('platform', c.app_platform, 'store_id', c.store_id,
        'bundle_id', c.bundle_id, 'logo_url', c.logo_url) AS app, c.click_link AS "clickLink", c.view_link AS "viewLink", u.uuid AS "ownerUuid", u.name AS "ownerName",
        u.email AS "ownerEmail", r.waiting_since AS "waitingSince",
        r.moderated_at AS "decidedAt", r.categories, r.for_children AS "forChildren"`,
      from: `${FROM} AND ${condition}`,
      orderBy,
    },
    [search],
    { p, perPage: ADMIN_ROWS_PER_PAGE },
  );
  return { rows: rows.map(reviewedOf), pager };
}

/** How many there are, and since when the first of them waits. */
export async function countWaitingCreatives(pool: Pool): Promise<{ count: number; since: Date | null }> {
  const { rows } = await pool.query<{ count: number; since: Date | null }>(
    `SELECT count(*)::int AS count, min(r.waiting_since) AS since FROM ${FROM} AND ${IS_WAITING}`,
    [""],
  );
  return rows[0] ?? { count: 0, since: null };
}

function reviewedOf(row: Row): ReviewedCreative {
  const decidedMs = decidedMsOf(row);
  const { image_url: _, ...fields } = creativeOf(row).fields;
  return {
    c_id: row.uuid,
    campaign: row.campaign,
    app: row.app,
    owner: { uuid: row.ownerUuid, name: row.ownerName, email: row.ownerEmail },
    ...fields,
    click_link: row.clickLink,
    view_link: row.viewLink,
    image: creativeOf(row).image,
    status: row.moderation,
    waiting_since: row.waitingSince.toISOString(),
    decided_at: decidedMs === null ? null : new Date(decidedMs).toISOString(),
    categories: row.categories,
    for_children: row.forChildren,
  };
}

interface Decided {
  id: number;
  accountId: number;
  moderation: Moderation;
  waitingSince: Date;
  decidedAt: Date | null;
  /** With the same categories and the same mark for children. */
  isFound: boolean;
}

/**
 * Approves or blocks a creative, whatever the earlier decision; an approved one may be approved again with other findings. Problem
 * `not_found`, and `conflict` if this is already the decision, if its owner has edited it since `waitingSince`, or if its last
 * decision is not that of `decidedAt`.
 */
export async function decideCreative(
  client: PoolClient,
  decision: {
    uuid: string;
    state: "approved" | "blocked";
    reason: string;
    /** Of an approved one; a blocked one loses them. */
    categories: readonly string[];
    forChildren: boolean;
    waitingSince: string | undefined;
    /** Null for one without a decision. */
    decidedAt: string | null | undefined;
    at: Date;
  },
): Promise<{ id: number; accountId: number; before: Moderation }> {
  const { uuid, state, reason, categories, forChildren, waitingSince, decidedAt, at } = decision;
  const isApproved = state === "approved";
  const found = [isApproved ? categories : [], isApproved && forChildren];
  const { rows } = await client.query<Decided>(
    `SELECT r.id, c.account_id AS "accountId", r.moderation, r.waiting_since AS "waitingSince", r.moderated_at AS "decidedAt",
       (r.categories, r.for_children) IS NOT DISTINCT FROM ($2::text[], $3::boolean) AS "isFound"
     FROM creatives r JOIN campaigns c ON c.id = r.campaign_id
     WHERE r.uuid = $1 AND r.deleted_at IS NULL FOR UPDATE OF r`,
    [uuid, ...found],
  );
  const [creative] = rows;
  if (!creative) throw new Problem("not_found", "There is no such creative");
  if (waitingSince !== undefined && creative.waitingSince.getTime() !== Date.parse(waitingSince))
    throw new Problem("conflict", "Its owner has edited this creative. Look at it again");
  if (creative.moderation === state && creative.isFound)
    throw new Problem("conflict", `This creative is already ${state}`);
  if (decidedAt !== undefined && decidedMsOf(creative) !== (decidedAt === null ? null : Date.parse(decidedAt)))
    throw new Problem("conflict", "Another admin has decided on this creative. Look at it again");
  await client.query(
    `UPDATE creatives SET moderation = $2, moderation_reason = $3, moderated_at = $4, categories = $5, for_children = $6
     WHERE id = $1`,
    [creative.id, state, reason === "" ? null : reason, at, ...found],
  );
  return { id: creative.id, accountId: creative.accountId, before: creative.moderation };
}

/** When it was decided; null while it waits, also for another decision. */
const decidedMsOf = ({ moderation, decidedAt }: Pick<Row, "moderation" | "decidedAt">): number | null =>
  moderation === "approved" || moderation === "blocked" ? (decidedAt?.getTime() ?? null) : null;

/** A decided creative for the mail to its owner; undefined if it was deleted, edited or decided anew. */
export async function decidedCreative(
  pool: Pool,
  { id, state }: { id: number; state: "approved" | "blocked" },
): Promise<{ storeId: string; campaign: string; campaignUuid: string; reason: string | null } | undefined> {
  const { rows } = await pool.query<{
    storeId: string;
    campaign: string;
    campaignUuid: string;
    reason: string | null;
  }>(
    `SELECT r.store_id AS "storeId", c.name AS campaign, c.uuid AS "campaignUuid", r.moderation_reason AS reason
     FROM creatives r JOIN campaigns c ON c.id = r.campaign_id
     WHERE r.id = $1 AND r.moderation = $2 AND r.deleted_at IS NULL`,
    [id, state],
  );
  return rows[0];
}
