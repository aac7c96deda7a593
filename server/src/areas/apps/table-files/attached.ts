import type { FileKind } from "@millrace/contract";
import type { FastifyReply } from "fastify";

const TYPES = { csv: "text/csv; charset=utf-8", pdf: "application/pdf" } satisfies Record<FileKind, string>;

/** Replies with a file to download. Its name is made of characters that every file system accepts, and ends in its type. */
export const attached = (reply: FastifyReply, name: string): FastifyReply =>
  reply
    .type(TYPES[name.endsWith(".csv") ? "csv" : "pdf"])
    .header("content-disposition", `attachment; filename="${name}"`);
