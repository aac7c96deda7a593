import { randomBytes } from "node:crypto";
import type { FastifyReply } from "fastify";
import type { AppReach } from "../../../platform/http/caller.ts";
import type { AppsDeps } from "../deps.ts";
import { ownApp } from "../store.ts";
import { instructionPage } from "./instruction-page.ts";

/** Serves the instructions as a page that only our pages may frame and that loads nothing but the dashboard's font. */
export async function sendInstructions(
  { pool, publicUrl, partnersOf, fontPath }: Pick<AppsDeps, "pool" | "publicUrl" | "partnersOf" | "fontPath">,
  reach: AppReach,
  uuid: string,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const app = await ownApp(pool, reach, uuid);
  const partners = await partnersOf(app.accountId, app.id);
  const bidders = partners.filter(({ active, enabled, keyed }) => active && enabled && keyed.length > 0);
  const nonce = randomBytes(16).toString("base64");
  return reply
    .headers({
      "content-security-policy": `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; ${fontPath === null ? "" : "font-src 'self'; "}base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
      "x-frame-options": "SAMEORIGIN",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-store",
    })
    .type("text/html; charset=utf-8")
    .send(instructionPage({ app, publicUrl, bidders: bidders.map(({ id }) => id), fontPath, nonce }));
}
