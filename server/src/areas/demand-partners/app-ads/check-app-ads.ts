import type { Reply, checkAppAds as checkCall } from "@millrace/contract";
import { readRecords, sameness } from "./app-ads-file.ts";
import type { AppAdsLine } from "./app-ads-lines.ts";
import { type SiteClient, type Site, readAppAds } from "./read-app-ads.ts";

/**
 * Reads the developer site's file and returns the missing lines, with the revenue of the partners concerned in
 * micro-dollars.
 */
export async function checkAppAds(
  client: SiteClient,
  expected: Site & { lines: readonly AppAdsLine[]; revenueOf: ReadonlyMap<string, number> },
): Promise<Reply<typeof checkCall>> {
  const { url, problem, body } = await readAppAds(client, expected);
  // A megabyte may hold as many records as an account has lines, so the comparison must not be quadratic.
  const there = new Set(readRecords(body).map(sameness));
  const missing = expected.lines.filter(({ record }) => !there.has(sameness(record)));
  const revenue = ({ partners }: AppAdsLine) =>
    partners.reduce((sum, { id }) => sum + (id === null ? 0 : (expected.revenueOf.get(id) ?? 0)), 0);
  const atRisk = new Set(missing.flatMap(({ partners }) => partners.flatMap(({ id }) => id ?? [])));
  return {
    url,
    problem,
    found: expected.lines.length - missing.length,
    missing: missing
      .map((line) => ({ line: line.line, partners: line.partners.map(({ name }) => name), revenue: revenue(line) }))
      .toSorted((a, b) => b.revenue - a.revenue),
    // A partner with two missing lines is at risk once.
    revenue_at_risk: [...atRisk].reduce((sum, id) => sum + (expected.revenueOf.get(id) ?? 0), 0),
  };
}

/** Whether the site's file was read and has every line. */
export const isComplete = ({ problem, missing }: Reply<typeof checkCall>): boolean =>
  problem === null && missing.length === 0;
