import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { ById } from "./fields.ts";
import { PublisherQuery } from "./publisher-statistics.ts";
import { AppFileQuery, FileColumns } from "./statistics.ts";

export const PublisherFileQuery = PublisherQuery.safeExtend(FileColumns);
export type PublisherFileQuery = z.output<typeof PublisherFileQuery>;

export const publisherStatsCsv = defineCall({
  method: "GET",
  path: "/apps/performance/stats.csv",
  summary: "Download the statistics table of all apps as CSV, with the rows of the table on screen",
  access: "publisher.read",
  query: PublisherFileQuery,
  reply: z.string(),
  replyTypes: ["text/csv"],
});

export const publisherStatsPdf = defineCall({
  method: "GET",
  path: "/apps/performance/stats.pdf",
  summary: "Download the statistics table of all apps as PDF, with a chart of revenue",
  access: "publisher.read",
  query: PublisherFileQuery,
  reply: z.string(),
  replyTypes: ["application/pdf"],
});

export const appStatsPdf = defineCall({
  method: "GET",
  path: "/apps/{id}/stats.pdf",
  summary: "Download the statistics table of one app as PDF, with a chart of revenue",
  access: "apps.read",
  params: ById,
  query: AppFileQuery,
  reply: z.string(),
  replyTypes: ["application/pdf"],
});

/** The longest range of a file that is created during the request; a job creates longer ones. */
export const MOST_DAYS_AT_ONCE = 366;

/** Whether a job creates the file of this range. */
export const isMadeLater = ({ ds, de }: { ds: string; de: string }): boolean =>
  (Date.parse(de) - Date.parse(ds)) / 86_400_000 >= MOST_DAYS_AT_ONCE;

export const FILE_KINDS = ["csv", "pdf"] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** A file in progress, or one that can be downloaded for a day. */
export const TableFileStatus = z.object({
  id: z.uuid(),
  state: z.enum(["waiting", "working", "ready", "failed"]),
  /** Progress from 0 to 100. */
  percent: z.int().min(0).max(100),
  expires_at: z.iso.datetime(),
});
export type TableFileStatus = z.output<typeof TableFileStatus>;

const FileWish = z.strictObject({ kind: z.enum(FILE_KINDS) });

export const makeAppFile = defineCall({
  method: "POST",
  path: "/apps/{id}/stats_files",
  summary: "Create a file of one app's statistics table, or return the existing one",
  access: "apps.read",
  params: ById,
  query: AppFileQuery,
  body: FileWish,
  reply: TableFileStatus,
});

export const makePublisherFile = defineCall({
  method: "POST",
  path: "/apps/performance/stats_files",
  summary: "Create a file of the statistics table of all apps, or return the existing one",
  access: "publisher.read",
  query: PublisherFileQuery,
  body: FileWish,
  reply: TableFileStatus,
});

export const tableFileStatus = defineCall({
  method: "GET",
  path: "/stats_files/{id}.json",
  summary: "Get the progress of a statistics file",
  access: "apps.read",
  params: ById,
  reply: TableFileStatus,
});

export const downloadTableFile = defineCall({
  method: "GET",
  path: "/stats_files/{id}",
  summary: "Download a statistics file",
  access: "apps.read",
  params: ById,
  reply: z.string(),
  replyTypes: ["text/csv", "application/pdf"],
});
