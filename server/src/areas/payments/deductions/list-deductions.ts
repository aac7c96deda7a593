import {
  ADMIN_ROWS_PER_PAGE,
  DEDUCTIONS_PER_PAGE,
  type Deduction,
  type DeductionFilter,
  type Platform,
  type Query,
  type Reply,
  type adminDeductions,
  type deductions,
} from "@millrace/contract";
import { dayOf } from "@millrace/units";
import type { Pool } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import { IS_OWNER } from "../../../platform/postgres/account-owner.ts";
import { paged } from "../../../platform/postgres/paged.ts";
import { canDispute } from "./rules.ts";

export interface ListDeps {
  pool: Pool;
  clock: Clock;
  /** The names of partners and other providers by their ids. */
  providerNames(): Promise<ReadonlyMap<string, string>>;
}

interface Row extends Pick<Deduction, "uuid" | "day" | "reason" | "explanation" | "state" | "auctions"> {
  notedAt: Date;
  app: string;
  appName: string;
  platform: Platform;
  provider: string;
  amount: string;
  until: string;
  dispute: string | null;
  disputedAt: Date | null;
  answer: string | null;
  answeredAt: Date | null;
}

const COLUMNS = `d.uuid, d.day::text AS day, d.reason, d.explanation, d.state, d.auctions::text[] AS auctions,
  d.noted_at AS "notedAt", a.uuid AS app, a.name AS "appName", a.platform, d.provider, d.amount_micros AS amount,
  d.dispute_until::text AS until, d.dispute, d.disputed_at AS "disputedAt", d.answer, d.answered_at AS "answeredAt"`;

/** `$2` is today. */
const OPEN = "(d.state = 'disputed' OR (d.state = 'noted' AND d.dispute_until >= $2::date))";
const FILTERS = {
  all: "$2::date IS NOT NULL",
  open: OPEN,
  closed: `NOT ${OPEN}`,
} as const satisfies Record<DeductionFilter, string>;

/** A page of an account's deductions, newest first, and the sums of all of them. */
export async function listDeductions(
  deps: ListDeps,
  accountId: number,
  { p, state }: Query<typeof deductions>,
): Promise<Reply<typeof deductions>> {
  const today = dayOf(deps.clock.now());
  const from = `deductions d JOIN apps a ON a.id = d.app_id WHERE d.account_id = $1 AND ${FILTERS[state]}`;
  const query = { columns: COLUMNS, from, orderBy: "d.id DESC" };
  const { rows, pager } = await paged<Row>(deps.pool, query, [accountId, today], { p, perPage: DEDUCTIONS_PER_PAGE });
  const { rows: sums } = await deps.pool.query<{ held: string; given: string }>(
    `SELECT coalesce(sum(amount_micros) FILTER (WHERE state <> 'reversed'), 0) AS held,
            coalesce(sum(amount_micros) FILTER (WHERE state = 'reversed'), 0) AS given
     FROM deductions WHERE account_id = $1`,
    [accountId],
  );
  const names = await deps.providerNames();
  return {
    held_back: Number(sums[0]?.held ?? 0),
    given_back: Number(sums[0]?.given ?? 0),
    deductions: rows.map((row) => deductionOf(row, names, today)),
    pager,
  };
}

interface AdminRow extends Row {
  owner: string | null;
  ownerName: string;
  email: string;
}

const OWNER = `LEFT JOIN LATERAL (
    SELECT u.uuid, concat_ws(' ', u.name, nullif(u.surname, '')) AS name, u.email
    FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.account_id = d.account_id AND ${IS_OWNER} ORDER BY u.id LIMIT 1
  ) o ON true`;

/** Deductions of all accounts: disputed ones first, the longest waiting of them on top, then the newest. */
export async function listAllDeductions(
  deps: ListDeps,
  { search, state, p }: Query<typeof adminDeductions>,
): Promise<Reply<typeof adminDeductions>> {
  const { rows, pager } = await paged<AdminRow>(
    deps.pool,
    {
      columns: `${COLUMNS}, o.uuid AS owner, o.name AS "ownerName", o.email`,
      from: `deductions d JOIN apps a ON a.id = d.app_id ${OWNER}
        WHERE ($2 = 'all' OR d.state = $2) AND ($1 = '' OR strpos(o.email, lower($1)) > 0
          OR strpos(lower(o.name), lower($1)) > 0 OR lower($1) IN (d.uuid::text, o.uuid::text))`,
      orderBy: "d.state = 'disputed' DESC, CASE WHEN d.state = 'disputed' THEN d.disputed_at END, d.id DESC",
    },
    [search, state],
    { p, perPage: ADMIN_ROWS_PER_PAGE },
  );
  const names = await deps.providerNames();
  const today = dayOf(deps.clock.now());
  return {
    deductions: rows.map((row) => ({
      ...deductionOf(row, names, today),
      owner: row.owner === null ? null : { uuid: row.owner, name: row.ownerName, email: row.email },
    })),
    pager,
  };
}

function deductionOf(row: Row, names: ReadonlyMap<string, string>, today: string): Deduction {
  const { uuid, day, reason, explanation, state, until, auctions, provider } = row;
  return {
    uuid,
    noted_at: row.notedAt.toISOString(),
    day,
    reason,
    explanation,
    app: { uuid: row.app, name: row.appName, platform: row.platform },
    provider: provider === "" ? null : provider,
    provider_name: provider === "" ? null : (names.get(provider) ?? provider),
    amount: Number(row.amount),
    state,
    dispute_until: until,
    can_dispute: canDispute({ state, until }, today),
    auctions,
    dispute: row.disputedAt && { text: row.dispute, at: row.disputedAt.toISOString() },
    answer: row.answeredAt && { text: row.answer, at: row.answeredAt.toISOString() },
  };
}
