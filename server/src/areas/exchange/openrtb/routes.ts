import { auctionStatus, cachedMarkup, openrtbAuction, type Reply } from "@millrace/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../../platform/http/problem.ts";
import { serveRaw } from "../../../platform/http/serve-raw.ts";
import { clientOf } from "../http/client.ts";
import { configuration } from "../http/configuration.ts";
import { sendJson } from "../http/json.ts";
import { type OpenrtbDeps, readBidRequest, sellOpenrtb } from "./sell-openrtb.ts";

/**
 * OpenRTB for servers and Prebid clients, and the documents cached for them. Pages send credentials, as to a Prebid Server; nothing here
 * reads them.
 */
export function openrtbRoutes(scope: FastifyInstance, deps: OpenrtbDeps): void {
  serveRaw(scope, openrtbAuction, "echo", async (request, reply) => {
    const bidRequest = readBidRequest(request.body, deps.limits.maxImps);
    const response = await sellOpenrtb(deps, bidRequest, clientOf(request), request.arrivedAt);
    void reply.header("x-openrtb-version", "2.6");
    return sendJson(reply, response);
  });
  serveRaw(scope, auctionStatus, "any", async (_request, reply) => {
    configuration(deps.config);
    return sendJson(reply, { application: { status: "ok" } } satisfies Reply<typeof auctionStatus>);
  });
  serveRaw(scope, cachedMarkup, "echo", (request, reply) => sendCached(deps, request, reply));
}

const BRACE = "{".charCodeAt(0);

async function sendCached({ markupCache }: OpenrtbDeps, request: FastifyRequest, reply: FastifyReply) {
  const { uuid } = request.query as Record<string, unknown>;
  const document = typeof uuid === "string" ? await markupCache.find(uuid) : undefined;
  if (!document) throw new Problem("not_found", { uuid: "There is no document with this id, or it has expired" });
  const type = document[0] === BRACE ? "application/json" : "application/xml";
  return reply.headers({ "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" }).send(document);
}
