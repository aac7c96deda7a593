import { type Call, ErrorReply } from "@millrace/contract";
import { z } from "zod";

interface ObjectSchema {
  properties?: Record<string, object>;
  required?: string[];
}

/** The contract as an OpenAPI 3.1 document: one operation for each call, tagged with its area. */
export function openApiOf(calls: Record<string, readonly Call[]>, publicUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [area, areaCalls] of Object.entries(calls)) {
    for (const call of areaCalls) {
      (paths[call.path] ??= {})[call.method.toLowerCase()] = operationOf(call, area);
    }
  }
  return {
    openapi: "3.1.0",
    info: { title: "Millrace", version: "1", description: "Money is in integer micro-dollars, days are UTC." },
    servers: [{ url: publicUrl }],
    paths,
  };
}

function operationOf(call: Call, area: string): object {
  const failed = { description: "Refused; `error` says why", content: json(ErrorReply) };
  return {
    tags: [area],
    summary: call.summary,
    description: Array.isArray(call.access) ? `Roles: ${call.access.join(", ")}` : `Open to: ${String(call.access)}`,
    parameters: [...parametersOf(call.params, "path"), ...parametersOf(call.query, "query")],
    ...(call.body ? { requestBody: { required: true, content: json(call.body) } } : {}),
    responses: { 200: { description: "Done", content: json(call.reply) }, "4XX": failed, "5XX": failed },
  };
}

function parametersOf(schema: z.ZodType | undefined, place: "path" | "query"): object[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema) as ObjectSchema;
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: property,
  }));
}

const json = (schema: z.ZodType) => ({ "application/json": { schema: schemaOf(schema) } });
const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
