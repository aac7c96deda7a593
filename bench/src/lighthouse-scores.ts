import lighthouse, { desktopConfig } from "lighthouse";
import puppeteer from "puppeteer-core";
import { REMEMBER_LOGIN } from "../../e2e/support/remember-login.ts";

/** The audit score, from 0 to 1, that Lighthouse shows in green. */
const GOOD = 0.9;

export const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
type Category = (typeof CATEGORIES)[number];

/** Scores from 0 to 100, and the ids of the audits that lowered them. */
export interface Scores extends Record<Category, number> {
  faults: string[];
}

/** `phone` is Lighthouse's default: a slow connection, and a processor at a quarter of the speed. */
export type Preset = "desktop" | "phone";

interface Audited {
  url: string;
  /** Of the browser's debugger. */
  port: number;
  preset: Preset;
  /** Those that count; the others are 0. */
  categories: readonly Category[];
  cookie?: string | undefined;
}

/** Occasionally the browser's trace is incomplete, and Lighthouse has to run again. */
const TRACE_INCOMPLETE = "NO_NAVSTART";
const TRIES = 3;

/** Runs Lighthouse once in the browser that listens at `port`, with the preset's simulated throttling. */
export async function lighthouseScores(audited: Audited): Promise<Scores> {
  const { url } = audited;
  let report = await audit(audited);
  for (let tries = 1; tries < TRIES && report.runtimeError?.code === TRACE_INCOMPLETE; tries++) {
    report = await audit(audited);
  }
  const { categories, audits, runtimeError, finalDisplayedUrl } = report;
  if (runtimeError) throw new Error(`Lighthouse failed at ${url}: ${runtimeError.message}`);
  // Pages may add filters to their address, but must not redirect.
  if (new URL(finalDisplayedUrl).pathname !== new URL(url).pathname) {
    throw new Error(`Lighthouse was redirected from ${url} to ${finalDisplayedUrl}`);
  }
  const scores = CATEGORIES.map((category) => [category, Math.round((categories[category]?.score ?? 0) * 100)]);
  const counted = Object.values(categories).flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0));
  const faults = counted.map(({ id }) => id).filter((id) => (audits[id]?.score ?? 1) < GOOD);
  return { ...(Object.fromEntries(scores) as Omit<Scores, "faults">), faults };
}

async function audit({ url, port, preset, categories, cookie }: Audited) {
  const browser = await puppeteer.connect({ browserURL: `http://127.0.0.1:${port}`, defaultViewport: null });
  const page = await browser.newPage();
  try {
    // Lighthouse empties the browser's storage, where a signed-in user has this.
    if (cookie !== undefined) await page.evaluateOnNewDocument(REMEMBER_LOGIN);
    const result = await lighthouse(
      url,
      {
        logLevel: "error",
        output: "json",
        onlyCategories: [...categories],
        ...(cookie !== undefined && { extraHeaders: { Cookie: cookie } }),
      },
      preset === "desktop" ? desktopConfig : undefined,
      page,
    );
    if (!result) throw new Error(`Lighthouse gave no result for ${url}`);
    return result.lhr;
  } finally {
    await page.close();
    await browser.disconnect();
  }
}
