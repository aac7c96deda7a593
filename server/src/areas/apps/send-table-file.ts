import type { StatTable, TableFigure } from "@millrace/contract";
import type { FastifyReply } from "fastify";
import { tableFile } from "./table-file.ts";
import { type TablePdf, tablePdf } from "./table-pdf.ts";

export interface TableFile {
  /** Whose numbers these are, in words. */
  name: string;
  query: { view: string; ds: string; de: string; columns: readonly TableFigure[] };
  table: StatTable;
}

/** Answers with a statistics table as a CSV file to keep. */
export const sendTableFile = (reply: FastifyReply, file: TableFile): FastifyReply =>
  reply
    .type("text/csv; charset=utf-8")
    .header("content-disposition", `attachment; filename="${fileName(file, "csv")}"`)
    .send(tableFile(file.table, file.query.columns));

/** Answers with a statistics table as a PDF file to keep. */
export async function sendTablePdf(reply: FastifyReply, file: TablePdf & TableFile): Promise<FastifyReply> {
  const pdf = await tablePdf(file);
  return reply
    .type("application/pdf")
    .header("content-disposition", `attachment; filename="${fileName(file, "pdf")}"`)
    .send(pdf);
}

/** As `Tide-Puzzle-country-2026-11-01-2026-11-19.csv`: what every file system takes, whatever the app is called. */
function fileName({ name, query: { view, ds, de } }: TableFile, extension: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9]+/g, "-").replaceAll(/^-|-$/g, "") || "app";
  return `${plain}-${view}-${ds}-${de}.${extension}`;
}
