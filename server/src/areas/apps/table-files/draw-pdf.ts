import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { PdfOrder, PdfReport } from "./pdf-worker.ts";
import { type OnPage, type Report, reportPdf } from "./report-pdf.ts";
import { type TablePdf, tablePdf } from "./table-pdf.ts";

/**
 * Documents up to this many rows are drawn here: a page takes a millisecond or two, and the event loop runs between
 * pages.
 */
const FEW_ROWS = 150;
/** The worker ends after this long without work. */
const IDLE_MS = 30_000;

interface Waiting {
  onPage: OnPage;
  resolve: (pdf: Buffer) => void;
  reject: (error: Error) => void;
}

let worker: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
let count = 0;
const waiting = new Map<number, Waiting>();

/** Draws a table of apps, or any report, as PDF. Long ones are drawn in a worker thread, so that auctions never wait. */
export function drawPdf(content: TablePdf | Report, onPage: OnPage = () => undefined): Promise<Buffer> {
  const isReport = "heads" in content;
  const rows = isReport
    ? content.rows.length + (content.money?.dates.length ?? 0) + (content.appendix?.rows.length ?? 0)
    : content.table.stats.length + content.revenue.dates.length;
  if (rows <= FEW_ROWS) return isReport ? reportPdf(content, onPage) : tablePdf(content, onPage);
  return new Promise((resolve, reject) => {
    const id = (count += 1);
    waiting.set(id, { onPage, resolve, reject });
    clearTimeout(idle);
    worker ??= startWorker();
    worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    worker.postMessage({ id, content } satisfies PdfOrder);
  });
}

function startWorker(): Worker {
  const started = new Worker(workerEntry());
  started.on("message", (report: PdfReport) => {
    const order = waiting.get(report.id);
    if (!order) return;
    if ("page" in report) return order.onPage(report.page, report.pages);
    waiting.delete(report.id);
    if ("pdf" in report) order.resolve(Buffer.from(report.pdf));
    else order.reject(report.error);
    if (waiting.size === 0) rest();
  });
  const failAll = (error: Error) => {
    if (worker !== started) return;
    worker = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  started.on("error", (error) => failAll(error instanceof Error ? error : new Error(String(error))));
  started.on("exit", () => failAll(new Error("The thread that draws documents has ended")));
  return started;
}

/** The worker does not keep the process alive, and is reused for the next document. */
function rest(): void {
  worker?.unref();
  idle = setTimeout(() => {
    const resting = worker;
    worker = undefined;
    void resting?.terminate();
  }, IDLE_MS).unref();
}

/** The built platform has the worker next to this file. From source it needs tsx, which a new thread does not have. */
function workerEntry(): URL {
  const here = import.meta.url;
  if (!here.endsWith(".ts")) return new URL("pdf-worker.js", here);
  const tsx = new URL("dist/esm/api/index.mjs", pathToFileURL(createRequire(here).resolve("tsx/package.json"))).href;
  const source = `import { register } from "${tsx}"; register(); await import("${new URL("pdf-worker.ts", here).href}");`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}
