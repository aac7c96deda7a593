import { parentPort } from "node:worker_threads";
import { type TablePdf, tablePdf } from "./table-pdf.ts";

/** What a thread is asked to draw. */
export interface PdfOrder {
  id: number;
  asked: TablePdf;
}

/** What it says of it: pages that are drawn, then the document or why there is none. */
export type PdfReport = { id: number } & ({ page: number; pages: number } | { pdf: Uint8Array } | { error: Error });

parentPort?.on("message", ({ id, asked }: PdfOrder) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
  const report = (said: PdfReport) => parentPort?.postMessage(said);
  tablePdf(asked, (page, pages) => report({ id, page, pages })).then(
    (pdf) => report({ id, pdf }),
    (error: unknown) => report({ id, error: error instanceof Error ? error : new Error(String(error)) }),
  );
});
