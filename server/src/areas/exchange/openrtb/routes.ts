import { openrtbAuction } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serveRaw } from "../../../platform/http/serve-raw.ts";
import type { ExchangeContext } from "../context.ts";
import { clientOf } from "../facts/client.ts";
import { sendJson } from "../sdk/routes.ts";
import { sellOpenrtb, readBidRequest } from "./sell-openrtb.ts";

/** OpenRTB for servers and Prebid clients. Pages send it with credentials, as they do to a Prebid Server; nothing here reads them. */
export function openrtbRoutes(scope: FastifyInstance, context: ExchangeContext): void {
  serveRaw(scope, openrtbAuction, "echo", async (request, reply) => {
    const bidRequest = readBidRequest(request.body, context.limits.maxImps);
    const response = await sellOpenrtb(context, bidRequest, clientOf(request), request.arrivedAt);
    void reply.header("x-openrtb-version", "2.6");
    return sendJson(reply, response);
  });
}
