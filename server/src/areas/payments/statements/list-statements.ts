import {
  ADMIN_ROWS_PER_PAGE,
  type AdminStatement,
  type AdminStatements,
  type ListedStatement,
  type Platform,
  type Query,
  StatementMapping,
  type adminStatement as detailCall,
  type adminStatements as listCall,
} from "@millrace/contract";
import { wholeCents } from "@millrace/units";
import type { Pool } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { pageOf } from "../../../platform/page-of.ts";
import { paged } from "../../../platform/postgres/paged.ts";
import { listExcesses } from "./excesses.ts";
import { readShortfalls } from "./shortfalls.ts";

interface Row extends Omit<ListedStatement, "imported_at" | "reported" | "changed_by" | "restated_by"> {
  importedAt: Date;
  reported: string;
  changedBy: string;
  restatedBy: string | null;
}

const COLUMNS = `s.uuid, s.partner_id AS partner, p.name AS partner_name, s.file_name, s.imported_at AS "importedAt", u.email AS imported_by,
  s.first_day::text AS first_day, s.last_day::text AS last_day, s.reported_micros AS reported, s.added, s.restated, s.unchanged,
  s.cause, s.changed_by_micros AS "changedBy",
  CASE WHEN s.cause IS NOT NULL THEN (
    SELECT sum(d.reported_micros - d.before_micros) FROM statement_days d WHERE d.statement_id = s.id) END AS "restatedBy"`;
const FROM = "statements s JOIN partners p ON p.id = s.partner_id LEFT JOIN users u ON u.id = s.imported_by";

const listed = ({ importedAt, reported, changedBy, restatedBy, ...row }: Row): ListedStatement => ({
  ...row,
  imported_at: importedAt.toISOString(),
  reported: Number(reported),
  changed_by: Number(changedBy),
  restated_by: Number(restatedBy ?? 0),
});

/** A page of the imported statements, newest first, every partner with the mapping of its last one, and what was passed on in excess. */
export async function listStatements(pool: Pool, { search, p }: Query<typeof listCall>): Promise<AdminStatements> {
  const { rows, pager } = await paged<Row>(
    pool,
    {
      columns: COLUMNS,
      from: `${FROM} WHERE $1 = '' OR strpos(lower(p.name), lower($1)) > 0 OR strpos(lower(s.file_name), lower($1)) > 0
        OR lower($1) = s.partner_id`,
      orderBy: "s.id DESC",
    },
    [search],
    { p, perPage: ADMIN_ROWS_PER_PAGE },
  );
  const { rows: partners } = await pool.query<{
    id: string;
    name: string;
    mapping: unknown;
    statedUntil: string | null;
  }>(
    `SELECT p.id, p.name, s.mapping, (SELECT max(last_day)::text FROM statements WHERE partner_id = p.id) AS "statedUntil"
     FROM partners p LEFT JOIN LATERAL (
       SELECT mapping FROM statements WHERE partner_id = p.id ORDER BY id DESC LIMIT 1
     ) s ON true ORDER BY lower(p.name), p.id`,
  );
  return {
    statements: rows.map(listed),
    partners: partners.map(({ id, name, mapping, statedUntil }) => ({
      id,
      name,
      mapping: mapping === null ? null : StatementMapping.parse(mapping),
      stated_until: statedUntil,
    })),
    excesses: await listExcesses(pool),
    pager,
  };
}

interface Cell {
  day: string;
  appId: number;
}

interface Stated extends Cell {
  app: string;
  name: string;
  platform: Platform;
  impressions: string;
  reported: string;
  before: string | null;
  estimated: string;
}

/** Days of apps of statement `$1`, which is of partner `$2`, in the order of the days `$3` and apps `$4`. */
const DAYS = `SELECT d.day::text AS day, d.app_id AS "appId", a.uuid AS app, a.name, a.platform, d.impressions, d.reported_micros AS reported,
    d.before_micros AS before, e.micros AS estimated
  FROM unnest($3::date[], $4::integer[]) WITH ORDINALITY AS o (day, app_id, nth)
  JOIN statement_days d ON d.statement_id = $1 AND d.day = o.day AND d.app_id = o.app_id JOIN apps a ON a.id = d.app_id
  LEFT JOIN LATERAL (
    SELECT coalesce(sum(l.amount_micros), 0) AS micros
    FROM ledger_postings g JOIN ledger_lines l ON l.posting_id = g.id
    WHERE g.for_day = d.day AND g.kind = 'accrual' AND l.app_id = d.app_id AND l.provider = $2 AND l.book = 'partner_receivable'
  ) e ON true ORDER BY o.nth`;

/** A statement with a page of the days that it changed, those with the largest shortfalls left to pass on first. Problem `not_found`. */
export async function readStatement(
  pool: Pool,
  uuid: string,
  { p }: Query<typeof detailCall>,
): Promise<AdminStatement> {
  const { rows: found } = await pool.query<
    Row & { id: string; currency: string; timeZone: string; rate: string | null; shownRate: string | null }
  >(
    `SELECT s.id, s.mapping->>'currency' AS currency, s.mapping->>'time_zone' AS "timeZone", s.rate::text AS rate,
            s.shown_rate::text AS "shownRate", ${COLUMNS} FROM ${FROM} WHERE s.uuid = $1`,
    [uuid],
  );
  if (!found[0]) throw new Problem("not_found", "There is no such statement");
  const { id, currency, timeZone, rate, shownRate, ...statement } = found[0];
  const shortfalls = await readShortfalls(pool, id);
  const { rows: all } = await pool.query<Cell>(
    `SELECT day::text AS day, app_id AS "appId" FROM statement_days WHERE statement_id = $1 ORDER BY day, app_id`,
    [id],
  );
  const leftOf = ({ day, appId }: Cell): bigint => {
    const { micros = 0n, passedOnMicros = 0n } = shortfalls(day, appId) ?? {};
    const left = micros - passedOnMicros;
    // Nobody looks for differences below a cent, nor passes on what was passed on.
    return left > 0n && wholeCents(left) > 0n ? left : 0n;
  };
  const byShortfall = all
    .map((cell) => ({ ...cell, left: leftOf(cell) }))
    .toSorted((one, other) => Number(other.left - one.left));
  const { page, pager } = pageOf(byShortfall, p, ADMIN_ROWS_PER_PAGE);
  const { rows } = await pool.query<Stated>(DAYS, [
    id,
    statement.partner,
    page.map(({ day }) => day),
    page.map(({ appId }) => appId),
  ]);
  return {
    statement: { ...listed(statement), currency, time_zone: timeZone, rate, shown_rate: shownRate },
    days: rows.map(({ day, appId, app, name, platform, impressions, reported, before, estimated }) => {
      const { micros = 0n, timeZoneMicros = 0n, passedOnMicros = 0n, standing = [] } = shortfalls(day, appId) ?? {};
      return {
        day,
        app: { uuid: app, name, platform },
        impressions: Number(impressions),
        reported: Number(reported),
        before: before === null ? null : Number(before),
        estimated: Number(estimated),
        shortfall: Number(micros),
        time_zone: Number(timeZoneMicros),
        passed_on: Number(passedOnMicros),
        deductions: standing,
      };
    }),
    pager,
  };
}
