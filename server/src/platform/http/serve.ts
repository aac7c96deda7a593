import {
  type Access,
  type Body,
  type Call,
  type Params,
  type Query,
  RIGHTS,
  type ReplyInput,
  type Right,
  type RightName,
  mayUse,
} from "@millrace/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { bodyLimitOf } from "./body-limits.ts";
import type { CallLimits } from "./call-limits.ts";
import { type Authenticate, bearerOf, type Caller } from "./caller.ts";
import { Problem, notSignedIn, unknownToken } from "./problem.ts";
import { refuseCrossSite } from "./refuse-cross-site.ts";
import { refuseOtherUser } from "./refuse-other-user.ts";
import { unfitField } from "./unfit-field.ts";
import { asksForPage } from "./web-pages.ts";

declare module "fastify" {
  interface FastifyInstance {
    authenticate: Authenticate;
    /** Absent if nothing is limited. */
    callLimits: CallLimits | undefined;
  }
  interface FastifyRequest {
    /** The caller as known before the body was read; null for public calls. */
    caller: Caller | null;
  }
}

type CallerOf<C extends Call> = C["access"] extends RightName ? Caller : null;

export interface CallContext<C extends Call> {
  params: Params<C>;
  query: Query<C>;
  body: Body<C>;
  caller: CallerOf<C>;
  request: FastifyRequest;
  reply: FastifyReply;
  /** A signal that aborts once the client has left without its reply. */
  signal: () => AbortSignal;
}

/**
 * Serves a call of the contract: checks limits and access before the body is read, params, query and body before the handler
 * runs, and strips the reply to its schema. A handler that sends the reply itself (a file, a redirect) returns `reply`.
 */
export function serve<C extends Call>(
  app: FastifyInstance,
  call: C,
  handler: (context: CallContext<C>) => Promise<ReplyInput<C> | FastifyReply>,
): void {
  app.route({
    method: call.method,
    url: call.path.replaceAll(/\{(\w+)\}/g, ":$1"),
    // HEAD runs the GET handler and must not change anything.
    exposeHeadRoute: call.changesState !== true,
    bodyLimit: bodyLimitOf(call),
    // Parsing is the costly part: whoever has no access, or asks too often, does not get that far.
    onRequest: async (request, reply) => {
      if (call.sharesPath === true) void reply.header("vary", "Accept");
      if (isPage(call, request)) return;
      // A device's call is open to every origin: it has no cookie and authenticates itself by its content. Devices
      // have separate limits, because thousands of them share an address.
      if (call.access !== "device" && call.limitsItself !== true) await app.callLimits?.takeAddress(request);
      const mayChange = call.changesState === true || call.method !== "GET";
      if (mayChange && call.access !== "device") refuseCrossSite(request, call);
      request.caller = await callerOf(app, call.access, request, (caller) => app.callLimits?.takeCaller(caller));
      if (mayChange) {
        refuseOtherUser(request);
        if (request.caller) await app.callLimits?.takeChange(request.caller);
      }
      // Replies to signed-in users are private and must not be cached by proxies or shared browsers.
      if (request.caller) void reply.header("cache-control", "no-store");
    },
    handler: async (request, reply) => {
      if (isPage(call, request)) return reply.callNotFound();
      // A body may take half a minute, in which a session can end or lose a right.
      const caller = request.body === undefined ? request.caller : await callerOf(app, call.access, request);
      const params = checked(call.params, request.params);
      const query = checked(call.query, request.query);
      const body = checked(call.body, request.body);
      const signal = () => disconnectSignal(reply);
      const context = { params, query, body, caller, request, reply, signal } as CallContext<C>;
      const answer = await handler(context);
      // A reply that the handler has sent itself is over here, also if its client has broken it off.
      if (reply.sent || reply.raw.destroyed || (answer as unknown) === reply) return reply;
      return call.reply.parse(answer);
    },
  });
}

/** Fastify's `request.signal` aborts with the request's end, which is long before the reply's where there is a body. */
function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const client = new AbortController();
  const leave = () => client.abort(new Problem("unavailable", "The client has left"));
  if (raw.destroyed) leave();
  else raw.once("close", () => raw.writableFinished || leave());
  return client.signal;
}

/** Whether a browser asks for the page that has the call's path. */
const isPage = (call: Call, request: FastifyRequest): boolean => call.sharesPath === true && asksForPage(request);

/** The caller, null for an open call. `count` may refuse them before their rights are looked at. */
async function callerOf(
  app: FastifyInstance,
  access: Access,
  request: FastifyRequest,
  count?: (caller: Caller) => Promise<void> | undefined,
): Promise<Caller | null> {
  if (access === "public" || access === "device") return null;
  const caller = await app.authenticate(request);
  if (!caller) throw bearerOf(request) === undefined ? notSignedIn() : unknownToken();
  await count?.(caller);
  const right: Right = RIGHTS[access];
  if (caller.byToken && right.token !== true)
    throw new Problem("forbidden", "An access token opens the reporting calls");
  if (caller.mfaPending && right.allowWithoutMfa !== true)
    throw new Problem("forbidden", "Please enter your code first");
  if (!mayUse(access, caller)) throw new Problem("forbidden", "Your role has no access to this");
  return caller;
}

/** The message for a missing field whose schema has none. */
const MISSING = "This field is missing";

/** The checked value; a Problem names each wrong field with its first message. */
function checked(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const unfit = unfitField(value);
  if (unfit) throw new Problem("invalid", { [unfit.path]: unfit.reason });
  const result = schema.safeParse(value ?? {}, { error: ({ input }) => (input === undefined ? MISSING : undefined) });
  if (result.success) return result.data;
  // A map, as a field may be called `__proto__`.
  const fields = new Map<string, string>();
  for (const issue of result.error.issues) {
    const keys = issue.code === "unrecognized_keys" ? issue.keys : [issue.path.join(".") || "body"];
    for (const key of keys) {
      if (!fields.has(key))
        fields.set(key, issue.code === "unrecognized_keys" ? "This field is not known" : issue.message);
    }
  }
  throw new Problem("invalid", Object.fromEntries(fields));
}
