import {
  appStatsCsv,
  appStatsPdf,
  downloadTableFile,
  isMadeLater,
  makeAppFile,
  makePublisherFile,
  publisherStatsCsv,
  publisherStatsPdf,
  tableFileStatus,
} from "@millrace/contract";
import type { FastifyInstance, FastifyReply } from "fastify";
import { Problem } from "../../../platform/http/problem.ts";
import { serve } from "../../../platform/http/serve.ts";
import type { AppsDeps } from "../deps.ts";
import { attached } from "./attached.ts";
import { type FileRequest, makeTableFile } from "./make-table-file.ts";
import type { TableFiles } from "./table-files.ts";

/** Tables as files: short ones at once, long ones by a job. */
export function tableFileRoutes(app: FastifyInstance, deps: AppsDeps, files: TableFiles): void {
  const answer = async (reply: FastifyReply, accountId: number, request: FileRequest) => {
    if (isMadeLater(request.query))
      throw new Problem(
        "unprocessable",
        "A file for this many days is made by a job: request it with POST …/stats_files",
      );
    const { name, content } = await deps.statistics.turns.run(accountId, () => makeTableFile(deps, accountId, request));
    return attached(reply, name).send(content);
  };
  serve(app, appStatsCsv, ({ params, query, caller, reply }) =>
    answer(reply, caller.accountId, { appIds: caller.appIds, kind: "csv", app: params.id, query }),
  );
  serve(app, appStatsPdf, ({ params, query, caller, reply }) =>
    answer(reply, caller.accountId, { appIds: caller.appIds, kind: "pdf", app: params.id, query }),
  );
  serve(app, publisherStatsCsv, ({ query, caller, reply }) =>
    answer(reply, caller.accountId, { appIds: caller.appIds, kind: "csv", app: null, query }),
  );
  serve(app, publisherStatsPdf, ({ query, caller, reply }) =>
    answer(reply, caller.accountId, { appIds: caller.appIds, kind: "pdf", app: null, query }),
  );
  serve(app, makeAppFile, ({ params, query, body, caller }) =>
    files.make(caller.accountId, { appIds: caller.appIds, kind: body.kind, app: params.id, query }),
  );
  serve(app, makePublisherFile, ({ query, body, caller }) =>
    files.make(caller.accountId, { appIds: caller.appIds, kind: body.kind, app: null, query }),
  );
  serve(app, tableFileStatus, ({ params, caller }) => files.status(caller, params.id));
  serve(app, downloadTableFile, async ({ params, caller, reply }) => {
    const { name, bytes, content } = await files.open(caller, params.id);
    return attached(reply, name).header("content-length", bytes).send(content);
  });
}
