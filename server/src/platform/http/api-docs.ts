import swagger, { type StaticDocumentSpec } from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { Call } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { openApiOf } from "./openapi.ts";

/** Serves the documentation of every call at `/docs`, and its OpenAPI document at `/docs/json`. */
export async function serveApiDocs(
  app: FastifyInstance,
  calls: Record<string, readonly Call[]>,
  publicUrl: string,
): Promise<void> {
  // The plugin's type knows OpenAPI 3.0 only; it passes the document on as it is.
  const document = openApiOf(calls, publicUrl) as StaticDocumentSpec["document"];
  await app.register(swagger, { mode: "static", specification: { document } });
  await app.register(swaggerUi, { routePrefix: "/docs", staticCSP: true });
}
