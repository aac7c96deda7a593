import * as contract from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../../platform/http/serve.ts";
import type { Accounts } from "../deps.ts";
import { returnToAdmin } from "./return-to-admin.ts";

export function switchingRoutes(app: FastifyInstance, accounts: Accounts): void {
  serve(app, contract.returnToAdmin, async (by) => ({ redirect_to: await returnToAdmin(accounts, by) }));
}
