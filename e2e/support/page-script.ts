import { gzipSync } from "node:zlib";
import type { Page, Response } from "playwright-core";

/** What is drawn where it is shown: the page is of use before it comes. */
const LATER = /\/(echarts|line-chart|donut-chart|world-map)-[^/]*$/;

/** Scripts of a first visit, in bytes as gzip packs them. */
export interface PageScript {
  bytes: number;
  /** With charts and map, where the page shows some. */
  withCharts: number;
  /** As they were sent. */
  sent: number;
}

/** Watches a page that is still empty; the function tells what scripts it has loaded since. */
export function watchScript(page: Page): () => Promise<PageScript> {
  const scripts: Response[] = [];
  page.on("response", (response) => {
    if (response.headers()["content-type"]?.includes("javascript") === true) scripts.push(response);
  });
  return async () => {
    const script: PageScript = { bytes: 0, withCharts: 0, sent: 0 };
    for (const response of scripts) {
      const packed = gzipSync(await response.body(), { level: 9 }).length;
      script.withCharts += packed;
      if (!LATER.test(response.url())) script.bytes += packed;
      script.sent += (await response.request().sizes()).responseBodySize;
    }
    return script;
  };
}
