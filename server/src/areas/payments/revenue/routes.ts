import { adminRevenue, monthRevenue } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../../platform/http/serve.ts";
import { type RevenueDeps, readAdminRevenue, readMonthRevenue } from "./read-revenue.ts";

export function revenueRoutes(app: FastifyInstance, deps: RevenueDeps): void {
  serve(app, monthRevenue, ({ caller, query }) => readMonthRevenue(deps, caller.accountId, query));
  serve(app, adminRevenue, ({ query }) => readAdminRevenue(deps, query));
}
