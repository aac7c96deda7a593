import lighthouse, { desktopConfig } from "lighthouse";

/** The audit score, from 0 to 1, that Lighthouse shows in green. */
const GOOD = 0.9;

/** Scores from 0 to 100, and the ids of the audits that lowered them. */
export interface Scores {
  performance: number;
  accessibility: number;
  faults: string[];
}

/** Occasionally the browser's trace is incomplete, and Lighthouse has to run again. */
const TRACE_INCOMPLETE = "NO_NAVSTART";
const TRIES = 3;

/** Runs Lighthouse once in the browser that listens at `port`, with the desktop preset's simulated throttling. */
export async function lighthouseScores(url: string, port: number, cookie: string | undefined): Promise<Scores> {
  let report = await audit(url, port, cookie);
  for (let tries = 1; tries < TRIES && report.runtimeError?.code === TRACE_INCOMPLETE; tries++) {
    report = await audit(url, port, cookie);
  }
  const { categories, audits, runtimeError, finalDisplayedUrl } = report;
  if (runtimeError) throw new Error(`Lighthouse failed at ${url}: ${runtimeError.message}`);
  // Pages may add filters to their address, but must not redirect.
  if (new URL(finalDisplayedUrl).pathname !== new URL(url).pathname) {
    throw new Error(`Lighthouse was redirected from ${url} to ${finalDisplayedUrl}`);
  }
  const score = (category: string) => Math.round((categories[category]?.score ?? 0) * 100);
  const counted = Object.values(categories).flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0));
  const faults = counted.map(({ id }) => id).filter((id) => (audits[id]?.score ?? 1) < GOOD);
  return { performance: score("performance"), accessibility: score("accessibility"), faults };
}

async function audit(url: string, port: number, cookie: string | undefined) {
  const result = await lighthouse(
    url,
    {
      port,
      logLevel: "error",
      output: "json",
      onlyCategories: ["performance", "accessibility"],
      ...(cookie !== undefined && { extraHeaders: { Cookie: cookie } }),
    },
    desktopConfig,
  );
  if (!result) throw new Error(`Lighthouse gave no result for ${url}`);
  return result.lhr;
}
