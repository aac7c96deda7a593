import { openrtbAuction } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serveRaw } from "../../../platform/http/serve-raw.ts";
import { clientOf } from "../http/client.ts";
import { sendJson } from "../http/json.ts";
import { type OpenrtbDeps, readBidRequest, sellOpenrtb } from "./sell-openrtb.ts";

/** OpenRTB for servers and Prebid clients. Pages send credentials, as to a Prebid Server; nothing here reads them. */
export function openrtbRoutes(scope: FastifyInstance, deps: OpenrtbDeps): void {
  serveRaw(scope, openrtbAuction, "echo", async (request, reply) => {
    const bidRequest = readBidRequest(request.body, deps.limits.maxImps);
    const response = await sellOpenrtb(deps, bidRequest, clientOf(request), request.arrivedAt);
    void reply.header("x-openrtb-version", "2.6");
    return sendJson(reply, response);
  });
}
