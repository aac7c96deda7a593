import type { CreativeTest, CreativeTests } from "@millrace/contract";
import { HOUR_MS } from "@millrace/units";
import type { Pool } from "pg";
import { grouped } from "../../../platform/grouped.ts";
import { pathOfFile } from "../../../platform/files/serve-stored-files.ts";
import type { CreativeSums } from "../../statistics/index.ts";
import { type Comparison, compareRates } from "./compare-rates.ts";
import { comparedAs } from "./compared-as.ts";

/** A creative that may be shown. */
interface Tested {
  id: number;
  uuid: string;
  cta: string;
  file: string;
  width: number;
  height: number;
  format: string;
  video: { duration_ms: number } | null;
  /** When it was last changed or approved. */
  since: Date;
}

interface Deps {
  pool: Pool;
  /** What became of the even choices of creatives, each since a moment. */
  sumsOf(campaignId: number, since: ReadonlyMap<number, number>): Promise<ReadonlyMap<number, CreativeSums>>;
}

/**
 * How a campaign's creatives compare. Only those that fill the same places are compared, over the hours in which all of them
 * were shown: from the last change of any of them.
 */
export async function creativeTests({ pool, sumsOf }: Deps, campaignId: number): Promise<CreativeTests["tests"]> {
  const { rows } = await pool.query<Tested>(
    `SELECT r.id, r.uuid, r.cta, f.file, f.width, f.height, f.video, r.format,
       GREATEST(r.created_at, r.waiting_since, COALESCE(r.moderated_at, r.created_at)) AS since
     FROM creatives r JOIN uploads f ON f.id = r.upload_id
     WHERE r.campaign_id = $1 AND r.moderation = 'approved' AND r.deleted_at IS NULL ORDER BY r.id`,
    [campaignId],
  );
  const groups = [...grouped(rows, comparedAs).values()].filter((group) => group.length > 1);
  if (groups.length === 0) return [];
  const sums = await sumsOf(
    campaignId,
    new Map(groups.flatMap((group) => group.map(({ id }) => [id, startOf(group)]))),
  );
  return groups.map((group) => testOf(group, sums));
}

/** The first full hour in which all of a group could be shown. */
const startOf = (group: readonly Tested[]): number =>
  Math.ceil(Math.max(...group.map(({ since }) => since.getTime())) / HOUR_MS) * HOUR_MS;

const NOTHING: CreativeSums = { impressions: 0, clicks: 0, converted: 0 };

function testOf(group: readonly Tested[], sums: ReadonlyMap<number, CreativeSums>): CreativeTest {
  const counts = group.map(({ id, uuid }) => {
    const { impressions, clicks: all, converted } = sums.get(id) ?? NOTHING;
    // A click may fall into the hour after its impression.
    const clicks = Math.min(all, impressions);
    return { id: uuid, impressions, clicks, converted: Math.min(converted, clicks) };
  });
  const ctr = compareRates(
    counts.map(({ id, impressions, clicks }) => ({ id, trials: impressions, successes: clicks })),
  );
  const cvr = compareRates(counts.map(({ id, clicks, converted }) => ({ id, trials: clicks, successes: converted })));
  return {
    place: group[0] ? comparedAs(group[0]) : "",
    since: new Date(startOf(group)).toISOString(),
    creatives: group.map((creative, nth) => ({
      c_id: creative.uuid,
      name: [`${creative.width}×${creative.height}`, creative.cta].filter((word) => word !== "").join(" · "),
      image_url: creative.video ? null : pathOfFile(creative.file),
      impressions: counts[nth]?.impressions ?? 0,
      clicks: counts[nth]?.clicks ?? 0,
      conversions: counts[nth]?.converted ?? 0,
      ctr: rateOf(ctr, nth),
      cvr: rateOf(cvr, nth),
    })),
    ctr: verdictOf(ctr),
    cvr: verdictOf(cvr),
  };
}

const percent = (rate: number): number => 100 * rate;

function rateOf({ arms }: Comparison, nth: number): CreativeTest["creatives"][number]["ctr"] {
  const arm = arms[nth];
  return {
    value: arm?.rate === null || arm === undefined ? null : percent(arm.rate),
    low: percent(arm?.possible.low ?? 0),
    high: percent(arm?.possible.high ?? 1),
  };
}

const verdictOf = ({ leading, isDecided }: Comparison): CreativeTest["ctr"] => ({
  winner: isDecided && leading ? leading.id : null,
  leading: leading && {
    c_id: leading.id,
    next: leading.next,
    low: percent(leading.difference.low),
    high: percent(leading.difference.high),
  },
});
