import * as contract from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../../platform/http/serve.ts";
import type { StatementDeps } from "./check-statement.ts";
import { importStatement, previewStatement } from "./import-statement.ts";
import { listStatements, readStatement } from "./list-statements.ts";

export function statementRoutes(app: FastifyInstance, deps: StatementDeps): void {
  serve(app, contract.adminStatements, ({ query }) => listStatements(deps.pool, query));
  serve(app, contract.adminStatement, ({ params, query }) => readStatement(deps.pool, params.id, query));
  serve(app, contract.previewStatement, ({ body }) => previewStatement(deps, body));
  serve(app, contract.importStatement, ({ body, ...by }) =>
    importStatement(deps, { ...by, userId: by.caller.userId }, body),
  );
}
