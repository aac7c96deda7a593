import { sdkAd, sdkInit, sdkPing } from "@millrace/contract";
import type { FastifyInstance, FastifyReply } from "fastify";
import { serveRaw } from "../../../platform/http/serve-raw.ts";
import type { ExchangeContext } from "../context.ts";
import { clientOf } from "../facts/client.ts";
import { readAd, readInit, readPing } from "./read-calls.ts";
import { serveAd } from "./serve-ad.ts";
import { startSession } from "./start-session.ts";
import { takePing } from "./take-ping.ts";

/** The SDK's three calls. They are open to pages of every origin and carry no cookies. */
export function sdkRoutes(scope: FastifyInstance, context: ExchangeContext): void {
  serveRaw(scope, sdkInit, "any", async (request, reply) => {
    const body = readInit(request.body);
    return sendJson(reply, await startSession(context, body, clientOf(request)));
  });
  serveRaw(scope, sdkAd, "any", async (request, reply) => {
    const body = readAd(request.body);
    return sendJson(reply, await serveAd(context, body, clientOf(request), request.arrivedAt));
  });
  serveRaw(scope, sdkPing, "any", async (request, reply) => {
    const body = readPing(request.body);
    await takePing(context, body);
    return sendJson(reply, { ok: true });
  });
}

/** Sends what the handler made as it is: it is ours, and checked by tests against the contract. */
export function sendJson(reply: FastifyReply, value: object): FastifyReply {
  return reply
    .headers({ "content-type": "application/json; charset=utf-8", "cache-control": "no-store" })
    .send(JSON.stringify(value));
}
