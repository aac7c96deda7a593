import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { ById } from "./fields.ts";
import { PublisherQuery } from "./publisher-statistics.ts";
import { AppFileQuery, FileColumns } from "./statistics.ts";

const PublisherFileQuery = PublisherQuery.safeExtend(FileColumns);

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
