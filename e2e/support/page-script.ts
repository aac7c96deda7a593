import { gzipSync } from "node:zlib";
import type { Page, Response } from "playwright-core";

/** Chunks that load after the page's own, for a chart or a map: the page is usable without them. */
const LAZY = /\/(line-chart|world-map)-[^/]*$/;

/** The script that a first visit loads, in bytes after gzip. */
export interface PageScript {
  bytes: number;
  /** Including the chunks of charts and maps. */
  withCharts: number;
  /** As sent over the wire. */
  sent: number;
}

/** Call before the page navigates. The returned function measures the scripts loaded since. */
export function watchScript(page: Page): () => Promise<PageScript> {
  const scripts: Response[] = [];
  page.on("response", (response) => {
    if (response.headers()["content-type"]?.includes("javascript") === true) scripts.push(response);
  });
  return async () => {
    const script: PageScript = { bytes: 0, withCharts: 0, sent: 0 };
    for (const response of scripts) {
      const compressedBytes = gzipSync(await response.body(), { level: 9 }).length;
      script.withCharts += compressedBytes;
      if (!LAZY.test(response.url())) script.bytes += compressedBytes;
      script.sent += (await response.request().sizes()).responseBodySize;
    }
    return script;
  };
}
