import type { ClickHouseClient } from "@clickhouse/client";
import { INSTALL, type PostbackOutcome } from "@millrace/contract";
import { dayOf } from "@millrace/units";
import type { Pool } from "pg";
import { inTransaction } from "../../../server/src/platform/postgres/in-transaction.ts";

/** One postback is refused per this many accepted: providers repeat postbacks they believe lost, and strangers guess. */
const REFUSED = {
  replayed: { every: 24, knowsCampaign: true },
  late: { every: 60, knowsCampaign: true },
  unauthorized: { every: 90, knowsCampaign: false },
  unknown_click: { every: 140, knowsCampaign: false },
} as const satisfies Partial<Record<PostbackOutcome, object>>;
const REASONS = Object.entries(REFUSED) as [keyof typeof REFUSED, (typeof REFUSED)[keyof typeof REFUSED]][];

const COUNTED_DAYS = 30;
/** The latest ones, of each campaign. */
const LINES = 60;
/** Among the few lines, refusals come sooner, so that each kind can be seen. */
const LINE_STEPS = [
  { at: 3, outcome: "replayed" },
  { at: 11, outcome: "unauthorized" },
  { at: 19, outcome: "late" },
  { at: 27, outcome: "replayed" },
  { at: 38, outcome: "unknown_click" },
] as const;

interface Past {
  accountId: number;
  /** Of its campaigns, or of its cross promotions. */
  campaigns: readonly { id: number }[];
  untilMs: number;
}

interface Line {
  campaignId: number;
  time: string;
  event: string;
  kind: string | null;
  outcome: PostbackOutcome;
}

/** Logs the postbacks that reported the conversions of the written history, and some that were refused; once. */
export async function logPastPostbacks(
  { pool, read }: { pool: Pool; read: ClickHouseClient },
  { accountId, campaigns, untilMs }: Past,
): Promise<void> {
  const today = dayOf(untilMs);
  const ask = async <T>(query: string) =>
    (
      await read.query({
        query,
        query_params: { ids: campaigns.map(({ id }) => id), untilMs, today },
        format: "JSONEachRow",
      })
    ).json<T>();
  const days = await ask<{ campaignId: number; day: string; postbacks: number }>(
    `SELECT campaign_id AS campaignId, toString(toDate(at)) AS day, count()::Float64 AS postbacks FROM conversions FINAL
     WHERE campaign_id IN {ids:Array(UInt32)} AND at < toDate({today:String}) AND at >= toDate({today:String}) - ${COUNTED_DAYS}
     GROUP BY campaignId, day ORDER BY day, campaignId`,
  );
  const latest = await ask<Omit<Line, "outcome">>(
    `SELECT campaign_id AS campaignId, formatDateTime(at, '%FT%TZ') AS time, event, kind FROM conversions FINAL
     WHERE campaign_id IN {ids:Array(UInt32)} AND at < fromUnixTimestamp64Milli({untilMs:Int64}, 'UTC')
     ORDER BY at DESC LIMIT ${LINES} BY campaign_id`,
  );
  let before = 0;
  const counts = days.flatMap(({ campaignId, day, postbacks }) => {
    const [from, to] = [before, (before += postbacks)];
    return [
      { campaignId, day, outcome: "accepted", postbacks },
      ...REASONS.map(([outcome, { every, knowsCampaign }]) => ({
        campaignId: knowsCampaign ? campaignId : 0,
        day,
        outcome,
        postbacks: Math.floor(to / every) - Math.floor(from / every),
      })),
    ];
  });
  const lines = campaigns.flatMap(({ id }) => linesOf(latest.filter(({ campaignId }) => campaignId === id)));
  lines.sort((one, other) => (one.time < other.time ? 1 : -1));
  await inTransaction(pool, async (client) => {
    await client.query("SELECT FROM accounts WHERE id = $1 FOR UPDATE", [accountId]);
    const { rowCount } = await client.query("SELECT FROM postback_counts WHERE account_id = $1 AND day < $2 LIMIT 1", [
      accountId,
      today,
    ]);
    if (rowCount !== 0) return;
    await client.query(
      `INSERT INTO postback_counts (account_id, campaign_id, day, outcome, postbacks)
       SELECT $1, campaign, day, outcome, sum(n) FROM unnest($2::int[], $3::date[], $4::text[], $5::bigint[]) AS c(campaign, day, outcome, n)
       WHERE n > 0 GROUP BY campaign, day, outcome`,
      [
        accountId,
        counts.map(({ campaignId }) => campaignId),
        counts.map(({ day }) => day),
        counts.map(({ outcome }) => outcome),
        counts.map(({ postbacks }) => postbacks),
      ],
    );
    // Ids below those of live postbacks, which may have arrived already, and below another account's past ones.
    await client.query(
      `INSERT INTO postbacks (id, account_id, campaign_id, at, event, transaction_id, kind, outcome, is_test)
       OVERRIDING SYSTEM VALUE
       SELECT (SELECT least(0, min(id)) FROM postbacks) - nth, $1, campaign, at, event, '', kind, outcome, false
       FROM unnest($2::int[], $3::timestamptz[], $4::text[], $5::text[], $6::text[]) WITH ORDINALITY
         AS l(campaign, at, event, kind, outcome, nth)`,
      [
        accountId,
        lines.map(({ campaignId }) => campaignId),
        lines.map(({ time }) => time),
        lines.map(({ event }) => event),
        lines.map(({ kind }) => kind),
        lines.map(({ outcome }) => outcome),
      ],
    );
  });
}

/** A campaign's accepted postbacks, with refused ones between them. */
function linesOf(accepted: readonly Omit<Line, "outcome">[]): Line[] {
  const refused = LINE_STEPS.flatMap(({ at, outcome }) => {
    const beside = accepted[at];
    if (!beside) return [];
    const isKnown = REFUSED[outcome].knowsCampaign;
    const shown = isKnown ? beside : { ...beside, campaignId: 0, event: INSTALL, kind: null };
    return [{ ...shown, time: new Date(Date.parse(beside.time) + 1000).toISOString(), outcome }];
  });
  return [...accepted.map((line) => ({ ...line, outcome: "accepted" as const })), ...refused];
}
