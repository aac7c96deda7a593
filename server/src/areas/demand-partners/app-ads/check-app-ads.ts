import type { Reply, checkAppAds as checkCall } from "@millrace/contract";
import type { GuardedClient } from "../../../platform/outbound/guarded-get.ts";
import { readRecords, sameness } from "./app-ads-file.ts";
import type { AppAdsLine } from "./app-ads-lines.ts";

/** The limits for addresses that users enter. */
const LIMITS = { timeoutMs: 5000, maxBytes: 1024 * 1024, maxRedirects: 3 };

const PROBLEMS = {
  bad_address: "The address cannot be fetched",
  closed_address: "The address is in a private network",
  failed: "The site did not answer with a text file",
  timeout: "The site did not answer within five seconds",
  too_many_redirects: "The site redirects too often",
  too_large: "The file is larger than 1 MiB",
} as const;

/**
 * Fetches the developer site's file as buyers do (app-ads.txt 1.1, section 3.1) and returns the missing lines, with the
 * revenue of the partners concerned in micro-dollars.
 */
export async function checkAppAds(
  client: Pick<GuardedClient, "read">,
  of: {
    domain: string;
    lines: readonly AppAdsLine[];
    revenueOf: ReadonlyMap<string, number>;
    /** Origins that the operator has named; none in production. */
    trustedOrigins?: ReadonlySet<string>;
    origin?: string;
  },
): Promise<Reply<typeof checkCall>> {
  const url = `${of.origin ?? `https://${of.domain}`}/app-ads.txt`;
  const read = await client.read(url, { ...LIMITS, trustedOrigins: of.trustedOrigins ?? new Set() });
  const problem = read.ok ? (read.status === 200 ? null : `The site answered ${read.status}`) : PROBLEMS[read.reason];
  // A megabyte may hold as many records as an account has lines, so the comparison must not be quadratic.
  const there = new Set((read.ok && read.status === 200 ? readRecords(read.body) : []).map(sameness));
  const missing = of.lines.filter(({ record }) => !there.has(sameness(record)));
  const revenue = ({ partners }: AppAdsLine) =>
    partners.reduce((sum, { id }) => sum + (id === null ? 0 : (of.revenueOf.get(id) ?? 0)), 0);
  const atRisk = new Set(missing.flatMap(({ partners }) => partners.flatMap(({ id }) => id ?? [])));
  return {
    url,
    problem,
    found: of.lines.length - missing.length,
    missing: missing
      .map((line) => ({ line: line.line, partners: line.partners.map(({ name }) => name), revenue: revenue(line) }))
      .toSorted((a, b) => b.revenue - a.revenue),
    // A partner with two missing lines is at risk once.
    revenue_at_risk: [...atRisk].reduce((sum, id) => sum + (of.revenueOf.get(id) ?? 0), 0),
  };
}

/** Whether the site's file was read and has every line. */
export const isComplete = ({ problem, missing }: Reply<typeof checkCall>): boolean =>
  problem === null && missing.length === 0;
