import { type Call, openrtbAuction, sdkAd, sdkDebug, sdkInit, vastTag } from "@millrace/contract";
import type { FastifyRequest } from "fastify";
import { type Client, clientOf } from "./client.ts";
import type { RateLimit } from "./rate-limits.ts";

/** The limits of the exchange's calls. */
export interface CallLimits {
  address: RateLimit;
  app: RateLimit;
  beacon: RateLimit;
  maxImps: number;
}

/** Calls that sell ads or read what is stored; the others report what happened to ads. */
const SELLING = new Set<string>([sdkInit.path, sdkAd.path, sdkDebug.path, openrtbAuction.path, vastTag.path]);

/** Counts a call against its address's limit before its body is read, because a refusal must cost next to nothing. */
export function limitAddress(limits: CallLimits, request: FastifyRequest, { path }: Pick<Call, "path">): void {
  const limit = SELLING.has(path) ? limits.address : limits.beacon;
  limit.take(clientOf(request).ip);
}

/** Counts a call's imps against its address; `limitAddress` has counted the first. */
export function limitImps(limits: CallLimits, client: Client, imps: number): void {
  if (imps > 1) limits.address.take(client.ip, imps - 1);
}

/** Counts a call's imps against the limits of its address and app. */
export function limitCall(limits: CallLimits, client: Client, app: { id: number }, imps = 1): void {
  limitImps(limits, client, imps);
  limits.app.take(app.id, imps);
}

/** Counts a batch's events against its address; `limitAddress` has counted the first. */
export function limitEvents(limits: CallLimits, client: Client, events: number): void {
  if (events > 1) limits.beacon.take(client.ip, events - 1);
}
