import { type Access, type Call, ErrorReply, RIGHTS, type Right, type Role, SUB_USER_LABELS } from "@millrace/contract";
import { z } from "zod";

interface ObjectSchema {
  properties?: Record<string, object>;
}

const TOKEN =
  "An account's access token, created in the profile. It opens the reporting calls, at a fifth of a user's limit per minute";

/** The contract as an OpenAPI 3.1 document: one operation per call, tagged with its area. */
export function openApiOf(calls: Record<string, readonly Call[]>, publicUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [area, areaCalls] of Object.entries(calls)) {
    for (const call of areaCalls) {
      (paths[call.path] ??= {})[call.method.toLowerCase()] = operationOf(call, area);
    }
  }
  return {
    openapi: "3.1.0",
    info: { title: "Millrace API", version: "1", description: aboutOf(publicUrl) },
    servers: [{ url: publicUrl }],
    components: {
      securitySchemes: {
        accessToken: { type: "http", scheme: "bearer", description: TOKEN },
        session: { type: "apiKey", in: "cookie", name: "millrace", description: "The cookie of /login.json" },
      },
    },
    paths,
  };
}

/** The introduction, in Markdown. */
const aboutOf = (publicUrl: string): string =>
  `Money is in integer micro-dollars, days are UTC.

- Programs send an access token, which the owner of an account creates in the [profile](${publicUrl}/profile).
- Pages of the dashboard send the cookie of their session: [log in](${publicUrl}/login) to try calls here.
- Questions? [Contact support](${publicUrl}/support).`;

/** The roles as the help names them. */
const ROLE_NAMES = {
  owner: "Owner",
  ...SUB_USER_LABELS,
  manager: "Manager",
  admin: "Admin of the operator",
} as const satisfies Record<Role, string>;

function openTo(access: Access): string {
  if (access === "public" || access === "device") return `Open to: ${access}`;
  const { roles, side }: Right = RIGHTS[access];
  return `Roles: ${roles.map((role) => ROLE_NAMES[role]).join(", ")}${side === undefined ? "" : `, of accounts with ${side}`}`;
}

function isTokenCall(access: Access): boolean {
  if (access === "public" || access === "device") return false;
  const right: Right = RIGHTS[access];
  return right.token === true;
}

const RETRY_AFTER = {
  "Retry-After": { required: true, description: "Seconds to wait", schema: { type: "integer", minimum: 1 } },
};

const ONE_FILE = {
  "multipart/form-data": {
    schema: { type: "object", properties: { file: { type: "string", format: "binary" } }, required: ["file"] },
  },
};

function operationOf(call: Call, area: string): object {
  const failed = { description: "Refused; `error` says why", content: json(ErrorReply) };
  return {
    tags: [area],
    summary: call.summary,
    description: openTo(call.access),
    ...(isTokenCall(call.access) ? { security: [{ accessToken: [] }, { session: [] }] } : {}),
    parameters: [...parametersOf(call.params, "path"), ...parametersOf(call.query, "query")],
    ...(call.body
      ? { requestBody: { required: !call.body.safeParse(undefined).success, content: json(call.body) } }
      : {}),
    ...(call.takesFile === true ? { requestBody: { required: true, content: ONE_FILE } } : {}),
    responses: {
      200: { description: "Done", ...headersOf(call), content: repliesOf(call) },
      429: { ...failed, description: "Too many calls; `error` says when to retry", headers: RETRY_AFTER },
      "4XX": failed,
      "5XX": failed,
    },
  };
}

function headersOf({ replyHeaders }: Call): object {
  if (!replyHeaders) return {};
  const headers = Object.entries(replyHeaders).map(([name, description]): [string, object] => [
    name,
    { description, schema: { type: "string" } },
  ]);
  return { headers: Object.fromEntries(headers) };
}

/** The reply by its media type. The contents of a file have no schema. */
const repliesOf = ({ replyTypes, reply }: Call): object =>
  replyTypes ? Object.fromEntries(replyTypes.map((type): [string, object] => [type, {}])) : json(reply);

function parametersOf(schema: z.ZodType | undefined, place: "path" | "query"): object[] {
  if (!schema) return [];
  const { properties = {} } = schemaOf(schema) as ObjectSchema;
  // A list that may be left out counts as required in JSON Schema, because its reader takes any value.
  const missing = new Set(schema.safeParse({}).error?.issues.map(({ path: [name] }) => name));
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || missing.has(name),
    schema: property,
  }));
}

const json = (schema: z.ZodType) => ({ "application/json": { schema: schemaOf(schema) } });
const schemaOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      // The default of a day, such as today, is another one tomorrow.
      if (jsonSchema.format === "date") delete jsonSchema.default;
    },
  });
