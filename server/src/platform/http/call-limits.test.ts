import { type ErrorReply, defineCall } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { silentLog } from "../log.ts";
import { someCaller } from "../testing/some-caller.ts";
import { buildServer } from "./build-server.ts";
import { callLimits } from "./call-limits.ts";
import { openApiOf } from "./openapi.ts";
import { serve } from "./serve.ts";

const reply = z.object({ ok: z.literal(true) });
const call = (path: string, access: "apps.read" | "public" | "device") =>
  defineCall({ method: "GET", path, summary: "Asked often", access, reply });
const [report, form, beacon] = [call("/report", "apps.read"), call("/form", "public"), call("/beacon", "device")];
const change = defineCall({ method: "POST", path: "/change", summary: "Change", access: "apps.read", reply });
const manage = defineCall({ method: "POST", path: "/manage", summary: "Manage", access: "settings.manage", reply });

let app: FastifyInstance | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await app?.close();
});

interface Ask {
  method?: "GET" | "POST";
  url?: string;
  /** `user:account`, with `:token` for the account's token, `:pending` without the code, or `:guest`; empty if anonymous. */
  as?: string;
  impersonatorId?: number;
  from?: string;
}

/** A server with 10 calls per user, so 2 per token, 50 per account and 50 per address. */
async function limited() {
  const server = await buildServer({
    log: silentLog,
    trustedProxies: 0,
    authenticate: async ({ headers }) => {
      const said = (headers.authorization ?? headers.cookie ?? "").replace(/^Bearer /, "");
      const [userId = "", accountId, kind] = said.split(":");
      if (accountId === undefined) return null;
      const impersonatorId = headers["x-admin"] === undefined ? null : Number(headers["x-admin"]);
      return someCaller({
        userId: Number(userId),
        accountId: Number(accountId),
        byToken: kind === "token",
        mfaPending: kind === "pending",
        role: kind === "guest" ? "GST" : "owner",
        impersonatorId,
      });
    },
    callLimits: callLimits(10),
  });
  app = server;
  for (const one of [report, form, beacon, change, manage]) serve(server, one, async () => ({ ok: true as const }));
  const ask = ({ method = "GET", url = "/report", as = "", impersonatorId, from = "203.0.113.7" }: Ask = {}) =>
    server.inject({
      method,
      url,
      remoteAddress: from,
      headers: {
        ...(as.endsWith(":token") ? { authorization: `Bearer ${as}` } : { cookie: as }),
        ...(impersonatorId === undefined ? {} : { "x-admin": String(impersonatorId) }),
      },
    });
  /** The number of accepted calls. */
  const passed = async (times: number, asked: Ask | ((nth: number) => Ask)) => {
    let through = 0;
    for (let nth = 0; nth < times; nth++) {
      const { statusCode } = await ask(typeof asked === "function" ? asked(nth) : asked);
      if (statusCode !== 429) through++;
    }
    return through;
  };
  return { ask, passed };
}

test("calls above the limit are refused with the seconds to wait, and accepted afterwards", async () => {
  const { ask, passed } = await limited();
  vi.useFakeTimers({ toFake: ["performance"] });
  expect(await passed(11, { as: "1:1" })).toBe(10);
  const refused = await ask({ as: "1:1" });
  expect(refused.statusCode).toBe(429);
  expect(refused.headers["retry-after"]).toBe("60");
  expect(refused.json<ErrorReply>()).toEqual({ error: "Too many calls. Please try again in 60 seconds" });
  vi.advanceTimersByTime(59_000);
  expect((await ask({ as: "1:1" })).json<ErrorReply>()).toEqual({
    error: "Too many calls. Please try again in 1 second",
  });
  vi.advanceTimersByTime(1000);
  expect((await ask({ as: "1:1" })).statusCode).toBe(200);
});

test("a token has a fifth of a user's limit, and its flood does not affect its owner's browser", async () => {
  const { passed } = await limited();
  expect(await passed(200, { as: "1:1:token" })).toBe(2);
  expect(await passed(10, { as: "1:1" })).toBe(10);
});

test("a browser's flood affects neither the account's token nor another account", async () => {
  const { passed } = await limited();
  expect(await passed(30, { as: "1:1" })).toBe(10);
  expect(await passed(2, { as: "1:1:token" })).toBe(2);
  expect(await passed(10, { as: "2:2", from: "203.0.113.8" })).toBe(10);
});

test("all users of an account together have a limit too", async () => {
  const { passed } = await limited();
  const each = (nth: number) => ({ as: `${1 + Math.floor(nth / 10)}:1`, from: `203.0.113.${Math.floor(nth / 10)}` });
  expect(await passed(80, each)).toBe(50);
});

test("an account makes ten times as many changes in an hour as a user makes calls in a minute, and reads on", async () => {
  const { ask, passed } = await limited();
  vi.useFakeTimers({ toFake: ["performance"] });
  const changes = { method: "POST", url: "/change" } as const;
  const inEachMinute = async (as: (minute: number) => string) => {
    let through = 0;
    for (let minute = 0; minute < 12; minute++) {
      through += await passed(10, { ...changes, as: as(minute) });
      vi.advanceTimersByTime(60_000);
    }
    return through;
  };
  expect(await inEachMinute((minute) => `${minute}:1`)).toBe(100);
  const refused = await ask({ ...changes, as: "1:1" });
  expect(refused.headers["retry-after"]).toBe("2880");
  expect(refused.json<ErrorReply>()).toEqual({ error: "Too many changes. Please try again in 48 minutes" });
  expect((await ask({ as: "1:1" })).statusCode).toBe(200);
  expect((await ask({ ...changes, as: "2:2" })).statusCode).toBe(200);
  vi.advanceTimersByTime(2_880_000);
  expect((await ask({ ...changes, as: "1:1" })).statusCode).toBe(200);
});

test("changes that a user has no right to make take none of the account's", async () => {
  const { ask } = await limited();
  vi.useFakeTimers({ toFake: ["performance"] });
  const manages = { method: "POST", url: "/manage" } as const;
  for (let minute = 0; minute < 12; minute++) {
    for (let nth = 0; nth < 10; nth++) expect((await ask({ ...manages, as: "2:1:guest" })).statusCode).toBe(403);
    vi.advanceTimersByTime(60_000);
  }
  expect((await ask({ ...manages, as: "1:1" })).statusCode).toBe(200);
});

test("somebody who knows a password and no code takes none of the user's calls", async () => {
  const { ask, passed } = await limited();
  expect(await passed(12, { as: "1:1:pending" })).toBe(10);
  expect((await ask({ as: "1:1:pending" })).statusCode).toBe(429);
  expect(await passed(10, { as: "1:1" })).toBe(10);
});

test("an impersonating admin uses their own limit", async () => {
  const { passed } = await limited();
  expect(await passed(20, { as: "1:1", impersonatorId: 9 })).toBe(10);
  expect(await passed(10, { as: "1:1" })).toBe(10);
});

test("an address is limited before any look-up, also for public calls", async () => {
  const { ask, passed } = await limited();
  expect(await passed(60, { url: "/form" })).toBe(50);
  expect((await ask({ as: "1:1" })).statusCode).toBe(429);
  expect((await ask({ as: "1:1", from: "203.0.113.8" })).statusCode).toBe(200);
});

test("all addresses of one IPv6 network count as one", async () => {
  const { passed } = await limited();
  expect(await passed(60, (nth) => ({ url: "/form", from: `2001:db8:1:2::${nth.toString(16)}` }))).toBe(50);
  expect(await passed(10, { url: "/form", from: "2001:db8:1:3::1" })).toBe(10);
});

test("calls of devices are not counted", async () => {
  const { passed } = await limited();
  expect(await passed(200, { url: "/beacon" })).toBe(200);
});

test("the documentation says how long to wait, and how a program signs in", () => {
  const document = openApiOf({ reports: [report] }, "https://ads.example.com") as {
    paths: Record<string, { get: { responses: Record<string, { headers?: object }>; security: object[] } }>;
    components: { securitySchemes: Record<string, object> };
  };
  const operation = document.paths["/report"]?.get;
  expect(operation?.responses["429"]?.headers).toHaveProperty("Retry-After");
  expect(operation?.security).toContainEqual({ accessToken: [] });
  expect(document.components.securitySchemes["accessToken"]).toMatchObject({ type: "http", scheme: "bearer" });
});
