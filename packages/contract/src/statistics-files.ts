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
  summary: "The statistics table over all apps as CSV, exactly what the table shows",
  access: "publisher.read",
  query: PublisherFileQuery,
  reply: z.string(),
});

export const publisherStatsPdf = defineCall({
  method: "GET",
  path: "/apps/performance/stats.pdf",
  summary: "The statistics table over all apps as PDF, with a chart of revenue",
  access: "publisher.read",
  query: PublisherFileQuery,
  reply: z.string(),
});

export const appStatsPdf = defineCall({
  method: "GET",
  path: "/apps/{id}/stats.pdf",
  summary: "The statistics table of one app as PDF, with a chart of revenue",
  access: "apps.read",
  params: ById,
  query: AppFileQuery,
  reply: z.string(),
});

/** A file of so many days is still answered at once; one of more days is made by a job. */
export const MOST_DAYS_AT_ONCE = 366;

/** Whether a file of these days is made by a job. */
export const isMadeLater = ({ ds, de }: { ds: string; de: string }): boolean =>
  (Date.parse(de) - Date.parse(ds)) / 86_400_000 >= MOST_DAYS_AT_ONCE;

export const FILE_KINDS = ["csv", "pdf"] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** A file that is being made, or that can be downloaded for a day. */
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
  summary: "Make the statistics table of one app as a file; a file that is there already is not made again",
  access: "apps.read",
  params: ById,
  query: AppFileQuery,
  body: FileWish,
  reply: TableFileStatus,
});

export const makePublisherFile = defineCall({
  method: "POST",
  path: "/apps/performance/stats_files",
  summary: "Make the statistics table over all apps as a file; a file that is there already is not made again",
  access: "publisher.read",
  query: PublisherFileQuery,
  body: FileWish,
  reply: TableFileStatus,
});

export const tableFileStatus = defineCall({
  method: "GET",
  path: "/stats_files/{id}.json",
  summary: "How far a file of statistics is",
  access: "apps.read",
  params: ById,
  reply: TableFileStatus,
});

export const downloadTableFile = defineCall({
  method: "GET",
  path: "/stats_files/{id}",
  summary: "Download a file of statistics that is ready",
  access: "apps.read",
  params: ById,
  reply: z.string(),
});
