import {
  type BodyInput,
  type Call,
  ErrorReply,
  type Params,
  type QueryInput,
  type Reply,
  SIGNED_IN_AS,
  TEXTS,
} from "@millrace/contract";
import { takeEarlyReply } from "./early-replies.ts";
import { signedInAs } from "./signed-in-as.ts";

/** A failed call: `message` is shown to the user, `fields` has a message per invalid field. */
export class ApiError extends Error {
  /** HTTP status; 0 if there was no reply. */
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;

  constructor(status: number, error: string | Record<string, string>) {
    super(typeof error === "string" ? error : (Object.values(error)[0] ?? TEXTS.requestFailed));
    this.name = "ApiError";
    this.status = status;
    this.fields = typeof error === "string" ? {} : error;
  }
}

/** True for the failure that ends a session. */
export const isLoggedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** The message of any error. */
export const messageOf = (error: unknown): string => (error instanceof ApiError ? error.message : TEXTS.requestFailed);

/** The cause of a failed load, to be quoted in a sentence: it has no quotes of its own, and names what is known. */
export function causeOf(error: unknown): string {
  if (!(error instanceof ApiError) || error.message === TEXTS.requestFailed) return "The platform did not answer";
  return error.message.replaceAll(/["“”]/g, "'");
}

type Part<K extends string, T> = [T] extends [undefined] ? { [P in K]?: undefined } : { [P in K]: T };

/** Keys whose schema accepts undefined are optional. */
type Lenient<T> = [T] extends [undefined]
  ? undefined
  : { [K in keyof T as unknown extends T[K] ? never : K]: T[K] } & {
      [K in keyof T as unknown extends T[K] ? K : never]?: T[K];
    };

/** The parameters of a call, as its schemas accept them. */
export type Asking<C extends Call> = Part<"params", Params<C>> &
  Part<"query", Lenient<QueryInput<C>>> &
  Part<"body", BodyInput<C>> & {
    signal?: AbortSignal;
    /** Encodes the body as a form instead of JSON. */
    encode?: (body: BodyInput<C>) => URLSearchParams;
  };

const JSON_TYPE = "application/json";
const FORM = "application/x-www-form-urlencoded";

/** Sends a call of the contract and returns its validated reply. Throws only ApiError or an abort. */
export async function callApi<C extends Call>(call: C, asking: Asking<C>): Promise<Reply<C>> {
  const { params, query, body, signal, encode } = asking as {
    params?: Record<string, string>;
    query?: Record<string, unknown>;
    body?: unknown;
    signal?: AbortSignal;
    encode?: (body: unknown) => URLSearchParams;
  };
  const response = await send(addressOf(call, params ?? {}, query ?? {}), {
    method: call.method,
    headers: {
      accept: "application/json",
      ...ownHeaders(call),
      ...(body === undefined ? {} : { "content-type": encode ? FORM : JSON_TYPE }),
    },
    ...(body === undefined ? {} : { body: encode ? encode(body).toString() : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  // A redirect to a page means that the session has ended.
  if (response.redirected) throw new ApiError(401, TEXTS.requestFailed);
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) {
    const failure = ErrorReply.safeParse(answer);
    throw new ApiError(response.status, failure.success ? failure.data.error : TEXTS.requestFailed);
  }
  const reply = call.reply.safeParse(answer);
  if (!reply.success) throw new ApiError(response.status, TEXTS.requestFailed);
  return reply.data as Reply<C>;
}

/** As whom a page changes something. */
export function ownHeaders({ method }: Call): Record<string, string> {
  const user = signedInAs();
  return method === "GET" || user === undefined ? {} : { [SIGNED_IN_AS]: user };
}

/** The address of a call: params filled in, list values as repeated keys. */
export function addressOf(call: Call, params: Record<string, string>, query: Record<string, unknown>): string {
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = searchOf(query);
  return search === "" ? path : `${path}?${search}`;
}

/** A query string with repeated keys, without empty lists and undefined values. */
export function searchOf(query: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) search.append(key, String(item));
  }
  return search.toString();
}

async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await (takeEarlyReply(address) ?? fetch(address, init));
  } catch (failure) {
    if (failure instanceof DOMException && failure.name === "AbortError") throw failure;
    throw new ApiError(0, TEXTS.requestFailed);
  }
}
