import type { z } from "zod";
import type { RightName } from "./access.ts";

/** Who may call a route: anyone, a device or server that authenticates by its keys, or signed-in users with a right. */
export type Access = "public" | "device" | RightName;

type Method = "GET" | "POST" | "PUT" | "DELETE";
type Schema = z.ZodType;
/** The media type of a reply. */
export type ReplyType =
  | "application/json"
  | "application/pdf"
  | "application/xml"
  | "image/gif"
  | "text/csv"
  | "text/html"
  | "text/plain";

/**
 * One HTTP call as data, the source of server routes, web fetchers and the OpenAPI page. `path` is in OpenAPI form
 * (`/apps/{id}/stats.json`). `access` is required, so that no route is open by accident.
 */
export interface Call {
  method: Method;
  path: string;
  summary: string;
  access: Access;
  params?: Schema;
  query?: Schema;
  body?: Schema;
  reply: Schema;
  /** The media type of a reply that is not JSON, or those of which it has one. */
  replyTypes?: readonly ReplyType[];
  /** What headers tell of the reply, by name. */
  replyHeaders?: Record<string, string>;
  /** Set for a GET that changes state: it is refused unless our own page or a token client sent it. */
  changesState?: boolean;
  /** The handler limits the call by its content, since many people share an address, such as their mail provider's. */
  limitsItself?: boolean;
  /** A page has the same path: a browser that asks for HTML gets the page, anybody else the call. */
  sharesPath?: boolean;
  /** The body is a multipart form with one file instead of JSON; the handler reads it. */
  takesFile?: boolean;
  /** The largest body in bytes, where the default does not fit: 32 KiB for an open call, 1 MiB for any other. */
  maxBodyBytes?: number;
  /** A state-changing GET that users may also type as an address, because tricking them into it does no harm. */
  mayBeTyped?: boolean;
}

/** Declares a call and keeps its exact schema types. */
export function defineCall<const C extends Call>(call: C): C {
  return call;
}

type Out<S> = S extends Schema ? z.output<S> : undefined;
type In<S> = S extends Schema ? z.input<S> : undefined;

export type Params<C extends Call> = C extends { params: infer S } ? Out<S> : undefined;
export type Query<C extends Call> = C extends { query: infer S } ? Out<S> : undefined;
export type Body<C extends Call> = C extends { body: infer S } ? Out<S> : undefined;
export type Reply<C extends Call> = Out<C["reply"]>;
export type ReplyInput<C extends Call> = In<C["reply"]>;
export type QueryInput<C extends Call> = C extends { query: infer S } ? In<S> : undefined;
export type BodyInput<C extends Call> = C extends { body: infer S } ? In<S> : undefined;
