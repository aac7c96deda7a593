import { type AddressInfo, connect } from "node:net";
import { CALLS, type Call, type ErrorReply, defineCall } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { silentLog } from "../log.ts";
import { someCaller } from "../testing/some-caller.ts";
import { bodyLimitOf } from "./body-limits.ts";
import { buildServer } from "./build-server.ts";
import { serve } from "./serve.ts";

const LIMIT = 32 * 1024;

const call = (path: string, access: "profile.manage" | "public" | "device") =>
  defineCall({
    method: "POST",
    path,
    summary: "Write",
    access,
    body: z.strictObject({ text: z.string() }),
    reply: z.object({ length: z.int() }),
  });

let app: FastifyInstance;
let port: number;
beforeAll(async () => {
  app = await buildServer({ log: silentLog, trustedProxies: 0, authenticate: async () => someCaller() });
  for (const one of [call("/form", "public"), call("/postback", "device"), call("/own", "profile.manage")])
    serve(app, one, async ({ body }) => ({ length: body.text.length }));
  await app.listen({ port: 0, host: "127.0.0.1" });
  ({ port } = app.server.address() as AddressInfo);
});
afterAll(() => app.close());

/** A body of this many bytes. */
const bodyOf = (bytes: number) => JSON.stringify({ text: "x".repeat(bytes - '{"text":""}'.length) });

const send = async (path: string, bytes: number) => {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: bodyOf(bytes),
  });
  await reply.text();
  return reply.status;
};

/** What is answered to a request that does not end after this. */
async function answerTo(path: string, header: string, sent: string): Promise<{ status: string; body: ErrorReply }> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.on("data", (data) => (answer += data.toString())).on("error", () => undefined);
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${header}\r\n\r\n${sent}`);
  await expect.poll(() => answer, { timeout: 10_000 }).toContain("}");
  socket.destroy();
  return {
    status: answer.split(" ")[1] ?? "",
    body: JSON.parse(answer.slice(answer.indexOf("{"), answer.indexOf("}") + 1)) as ErrorReply,
  };
}

test.each(["/form", "/postback", "/nothing-is-here"])(
  "whoever may send anything to %s is refused a body of more than 32 KB, before it is read or once it goes on",
  async (path) => {
    const tooLarge = { status: "413", body: { error: "Request body is too large" } };
    expect(await answerTo(path, `content-length: ${LIMIT + 1}`, "")).toEqual(tooLarge);
    const chunk = `4000\r\n${"x".repeat(0x40_00)}\r\n`;
    expect(await answerTo(path, "transfer-encoding: chunked", chunk.repeat(3))).toEqual(tooLarge);
  },
);

test("bodies up to the limit pass, and those of signed-in users have more room", async () => {
  expect([await send("/form", LIMIT), await send("/postback", LIMIT)]).toEqual([200, 200]);
  expect([await send("/own", 1024 * 1024), await send("/own", 1024 * 1024 + 1)]).toEqual([200, 413]);
});

/** The part of a JSON Schema that says how long a value may be. */
interface Shape {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  maxLength?: number;
  oneOf?: Shape[];
  properties?: Record<string, Shape>;
  additionalProperties?: unknown;
}

/** The most bytes that a valid value takes as JSON: any character may be written as an escape of six. */
function mostBytes(shape: Shape): number {
  const values = shape.const === undefined ? shape.enum : [shape.const];
  if (values) return Math.max(...values.map((value) => JSON.stringify(value).length * 6));
  if (shape.oneOf) return Math.max(...shape.oneOf.map(mostBytes));
  if (shape.type === "string" && shape.maxLength !== undefined) return shape.maxLength * 6 + 2;
  if (shape.type !== "object" || shape.additionalProperties !== false)
    throw new Error(`A stranger's field has no longest value: ${JSON.stringify(shape)}`);
  const fields = Object.entries(shape.properties ?? {});
  return fields.reduce((sum, [name, field]) => sum + name.length + 4 + mostBytes(field), 2);
}

/** The exchange reads requests for ads itself, by its own limit. */
const forms = Object.values(CALLS)
  .flat()
  .filter(({ access, body, path }: Call) => access === "public" && body && path !== "/openrtb2/auction");

test.each(forms.map((form) => [form.path, form] as const))(
  "the longest valid body of %s is within its limit, however it is written",
  (_path, form) => {
    const shape = z.toJSONSchema(form.body ?? z.never(), { io: "input", unrepresentable: "any" }) as Shape;
    expect(mostBytes(shape)).toBeLessThan(bodyLimitOf(form));
  },
);
