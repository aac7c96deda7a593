import type { AppleReport } from "@millrace/contract";
import type { Pool } from "pg";

interface Row {
  uuid: string;
  name: string;
  number: number | null;
  installs: string;
  redownloads: string;
  reengagements: string;
  later: string;
  lost: string;
  valued: string;
  tests: string;
}

/** What Apple has attributed to the account's campaigns on these days, as its postbacks arrived. */
export async function appleReport(
  pool: Pool,
  accountId: number,
  { ds, de, campaigns }: { ds: string; de: string; campaigns: readonly string[] | null },
): Promise<AppleReport> {
  const { rows } = await pool.query<Row>(
    `SELECT c.uuid, c.name, c.apple_number AS number,
       count(*) FILTER (WHERE ${FIRST} AND conversion = 'download') AS installs,
       count(*) FILTER (WHERE ${FIRST} AND conversion = 'redownload') AS redownloads,
       count(*) FILTER (WHERE ${FIRST} AND conversion = 're-engagement') AS reengagements,
       count(*) FILTER (WHERE NOT is_test AND did_win AND sequence > 0) AS later,
       count(*) FILTER (WHERE NOT is_test AND NOT did_win) AS lost,
       count(*) FILTER (WHERE NOT is_test AND did_win AND (fine_value IS NOT NULL OR coarse_value IS NOT NULL)) AS valued,
       count(*) FILTER (WHERE is_test) AS tests
     FROM campaigns c LEFT JOIN apple_postbacks p ON p.campaign_id = c.id
       AND p.at >= $2::timestamp AT TIME ZONE 'UTC' AND p.at < ($3::timestamp + interval '1 day') AT TIME ZONE 'UTC'
     WHERE c.account_id = $1 AND c.app_platform = 'ios' AND ($4::uuid[] IS NULL OR c.uuid = ANY($4))
     GROUP BY c.id HAVING c.deleted_at IS NULL OR count(p.id) > 0
     ORDER BY installs DESC, c.id LIMIT 500`,
    [accountId, ds, de, campaigns],
  );
  return {
    campaigns: rows.map(({ uuid, name, number, ...counts }) => ({
      uuid,
      name,
      number,
      installs: Number(counts.installs),
      redownloads: Number(counts.redownloads),
      reengagements: Number(counts.reengagements),
      later: Number(counts.later),
      lost: Number(counts.lost),
      valued: Number(counts.valued),
      tests: Number(counts.tests),
    })),
  };
}

const FIRST = "NOT is_test AND did_win AND sequence = 0";
