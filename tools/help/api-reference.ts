import { CALLS } from "@millrace/contract";
import { openApiOf } from "../../server/src/platform/http/openapi.ts";
import { literal, tableOf } from "./entries.ts";

/** The parts of JSON Schema that the contract's schemas have. */
interface Schema {
  type?: string | readonly string[];
  format?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: readonly string[];
  default?: unknown;
  description?: string;
  minimum?: number;
  maximum?: number;
}

type Content = Record<string, { schema: Schema }>;

interface Operation {
  tags: [string];
  summary: string;
  description: string;
  security?: unknown;
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { content: Content };
  responses: {
    200: { content: Record<string, { schema?: Schema }>; headers?: Record<string, { description: string }> };
  };
}

/** The page of each area with its calls, from the OpenAPI document. */
export function apiPages(): Map<string, string> {
  const { paths } = openApiOf(CALLS, "https://ads.example.com") as { paths: Record<string, Record<string, Operation>> };
  const pages = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const [area] = operation.tags;
      const page = pages.get(area) ?? [];
      page.push(callOf(method.toUpperCase(), path, operation));
      pages.set(area, page);
    }
  }
  return new Map([...pages].map(([area, calls]) => [area, calls.join("\n\n")]));
}

/** `GET /apps/{id}.json` has the anchor `get-apps-id-json`. */
export const anchorOfCall = (method: string, path: string): string =>
  `${method}${path}`
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "-")
    .replaceAll(/^-|-$/g, "");

function callOf(method: string, path: string, { summary, description, security, ...operation }: Operation): string {
  const body = Object.entries(operation.requestBody?.content ?? {}).map(
    ([type, { schema }]) => `**Body**, \`${type}\`\n\n${fieldTable(schema)}`,
  );
  const inAddress = operation.parameters.map(({ name, in: place, required, schema }) => [
    `\`${name}\``,
    typeOf(schema),
    aboutOf(schema, place === "path" ? "in the path" : required ? "required" : "optional"),
  ]);
  const reply = operation.responses[200];
  const headers = Object.entries(reply.headers ?? {}).map(([name, header]) => [`\`${name}\``, header.description]);
  return [
    `## ${method} \`${path}\` {#${anchorOfCall(method, path)}}`,
    `${literal(summary)}.`,
    `${literal(description)}.${security === undefined ? "" : " Takes an access token."}`,
    ...(inAddress.length === 0 ? [] : [`**Parameters**\n\n${tableOf(["name", "type", ""], inAddress)}`]),
    ...body,
    replyOf(reply.content),
    ...(headers.length === 0 ? [] : [tableOf(["header", ""], headers)]),
  ].join("\n\n");
}

function replyOf(content: Operation["responses"][200]["content"]): string {
  const { schema } = content["application/json"] ?? {};
  if (schema) return `**Reply**\n\n${fieldTable(schema)}`;
  const types = Object.keys(content).map((type) => `\`${type}\``);
  return `**Reply**, ${types.join(" or ")}`;
}

function fieldTable(schema: Schema): string {
  const rows = fieldsOf(schema, "");
  return rows.length === 0 ? typeOf(schema) : tableOf(["field", "type", ""], rows);
}

/** A row for each field, those of objects inside as `apps[].name`. */
function fieldsOf(schema: Schema, path: string): string[][] {
  const variants = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== "null");
  if (variants.length > 0) {
    const seen = new Set<string>();
    return variants
      .flatMap((variant) => fieldsOf(variant, path))
      .filter(([name = ""]) => !seen.has(name) && seen.add(name));
  }
  if (schema.items) return fieldsOf(schema.items, `${path}[]`);
  if (typeof schema.additionalProperties === "object") return fieldsOf(schema.additionalProperties, `${path}{}`);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const fieldPath = path === "" ? name : `${path}.${name}`;
    const about = aboutOf(field, schema.required?.includes(name) === true ? "" : "optional");
    return [[`\`${fieldPath}\``, typeOf(field), about], ...fieldsOf(field, fieldPath)];
  });
}

/** Whether a field may be left out, what it is then, and what it means. */
const aboutOf = ({ default: value, description = "" }: Schema, need: string): string =>
  [need, value === undefined ? "" : `\`${JSON.stringify(value)}\` by default`, literal(description)]
    .filter((part) => part !== "")
    .join(", ");

/** A field that may be null has a list of types. */
const isList = (type: Schema["type"]): type is readonly string[] => Array.isArray(type);

function typeOf(schema: Schema): string {
  if (isList(schema.type)) {
    return schema.type.map((type) => typeOf(type === "null" ? { type } : { ...schema, type })).join(" or ");
  }
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return [...new Set(variants.map(typeOf))].join(" or ");
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  if (schema.type === "object") return typeof schema.additionalProperties === "object" ? "object by key" : "object";
  const range = [schema.minimum, schema.maximum].map((limit) =>
    limit === undefined || Math.abs(limit) === Number.MAX_SAFE_INTEGER ? "" : String(limit),
  );
  const limits = range.every((limit) => limit === "") ? "" : ` (${range.join(" to ")})`;
  return `${schema.format ?? schema.type ?? "any"}${limits}`;
}
