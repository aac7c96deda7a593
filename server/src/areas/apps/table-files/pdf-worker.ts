import { parentPort } from "node:worker_threads";
import { type Report, reportPdf } from "./report-pdf.ts";
import { type TablePdf, tablePdf } from "./table-pdf.ts";

/** The input of a drawing thread. */
export interface PdfOrder {
  id: number;
  content: TablePdf | Report;
}

/** Its output: progress in pages, then the document or an error. */
export type PdfReport = { id: number } & ({ page: number; pages: number } | { pdf: Uint8Array } | { error: Error });

parentPort?.on("message", ({ id, content }: PdfOrder) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
  const report = (message: PdfReport) => parentPort?.postMessage(message);
  const onPage = (page: number, pages: number) => report({ id, page, pages });
  ("heads" in content ? reportPdf(content, onPage) : tablePdf(content, onPage)).then(
    (pdf) => report({ id, pdf }),
    (error: unknown) => report({ id, error: error instanceof Error ? error : new Error(String(error)) }),
  );
});
