import lighthouse, { desktopConfig } from "lighthouse";

/** Scores from 0 to 100, and what costs some of them. */
export interface Scores {
  performance: number;
  accessibility: number;
  /** `unused-javascript: Est savings of 40 KiB`. */
  faults: string[];
}

/** One run of Lighthouse in a browser that listens at a port, on a desktop computer whose network is simulated. */
export async function lighthouseScores(url: string, port: number, cookie: string | undefined): Promise<Scores> {
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
  const { categories, audits, runtimeError, finalDisplayedUrl } = result.lhr;
  if (runtimeError) throw new Error(`Lighthouse failed at ${url}: ${runtimeError.message}`);
  // A page adds its filters to its address; another page is another matter.
  if (new URL(finalDisplayedUrl).pathname !== new URL(url).pathname) {
    throw new Error(`Lighthouse was led from ${url} to ${finalDisplayedUrl}`);
  }
  const score = (category: string) => Math.round((categories[category]?.score ?? 0) * 100);
  const faults = Object.values(audits)
    .filter((audit) => audit.score !== null && audit.score < 0.9 && audit.scoreDisplayMode !== "informative")
    .map(({ id, displayValue }) => (displayValue === undefined ? id : `${id}: ${displayValue}`));
  return { performance: score("performance"), accessibility: score("accessibility"), faults };
}
