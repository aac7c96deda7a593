import { sdkAd, sdkEvents, sdkInit, sdkPing } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serveRaw } from "../../../platform/http/serve-raw.ts";
import { senderOf } from "../beacons/event-draft.ts";
import { clientOf } from "../http/client.ts";
import { sendJson } from "../http/json.ts";
import { type CallLimits, limitEvents } from "../http/limit-calls.ts";
import { readAd, readInit, readPing } from "./read-calls.ts";
import { serveAd, type ServeAdDeps } from "./serve-ad.ts";
import { startSession, type StartSessionDeps } from "./start-session.ts";
import { type BatchDeps, readBatch, takeBatch } from "./take-batch.ts";
import { takePing } from "./take-ping.ts";

export type SdkDeps = ServeAdDeps & StartSessionDeps & BatchDeps;

/** The SDK's calls, open to pages of every origin and without cookies. */
export function sdkRoutes(scope: FastifyInstance, deps: SdkDeps): void {
  serveRaw(scope, sdkInit, "any", async (request, reply) => {
    const body = readInit(request.body);
    return sendJson(reply, await startSession(deps, body, clientOf(request)));
  });
  serveRaw(scope, sdkAd, "any", async (request, reply) => {
    const body = readAd(request.body);
    return sendJson(reply, await serveAd(deps, body, clientOf(request), request.arrivedAt));
  });
  serveRaw(scope, sdkPing, "any", async (request, reply) => {
    const body = readPing(request.body);
    return sendJson(reply, await takePing(deps, body));
  });
}

/** Batches of events, from devices that have queued them or from an app's own servers. */
export function batchRoutes(scope: FastifyInstance, deps: { limits: CallLimits } & BatchDeps): void {
  serveRaw(scope, sdkEvents, "any", async (request, reply) => {
    const client = clientOf(request);
    const events = readBatch(request.body);
    limitEvents(deps.limits, client, events.length);
    const results = await takeBatch(deps, events, senderOf(client, client));
    return sendJson(reply, { results });
  });
}
