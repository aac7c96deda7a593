import {
  type BodyInput,
  type Call,
  ErrorReply,
  type Params,
  type QueryInput,
  type Reply,
  TEXTS,
} from "@millrace/contract";

/** A call that failed: `message` is the sentence to show, `fields` has one for each wrong field. */
export class ApiError extends Error {
  /** HTTP status; 0 where no reply came. */
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

/** The sentence of any failure. */
export const messageOf = (error: unknown): string => (error instanceof ApiError ? error.message : TEXTS.requestFailed);

type Part<K extends string, T> = [T] extends [undefined] ? { [P in K]?: undefined } : { [P in K]: T };

/** Keys of which a schema takes anything in, absence too, may be left out. */
type Lenient<T> = [T] extends [undefined]
  ? undefined
  : { [K in keyof T as unknown extends T[K] ? never : K]: T[K] } & {
      [K in keyof T as unknown extends T[K] ? K : never]?: T[K];
    };

/** What a call of the contract asks for, as its schemas take it in. */
export type Asking<C extends Call> = Part<"params", Params<C>> &
  Part<"query", Lenient<QueryInput<C>>> &
  Part<"body", BodyInput<C>> & { signal?: AbortSignal };

/** Sends one call of the contract and returns its checked reply. Throws ApiError and nothing else, save an abort. */
export async function callApi<C extends Call>(call: C, asking: Asking<C>): Promise<Reply<C>> {
  const { params, query, body, signal } = asking as {
    params?: Record<string, string>;
    query?: Record<string, unknown>;
    body?: unknown;
    signal?: AbortSignal;
  };
  const response = await send(addressOf(call, params ?? {}, query ?? {}), {
    method: call.method,
    headers: { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  // A call that redirects to a page means that the session has ended.
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

/** The address of a call: params filled in, list values as repeated keys. */
export function addressOf(call: Call, params: Record<string, string>, query: Record<string, unknown>): string {
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = searchOf(query);
  return search === "" ? path : `${path}?${search}`;
}

/** A query string with repeated keys; empty lists and undefined are left out. */
export function searchOf(query: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) search.append(key, String(item));
  }
  return search.toString();
}

async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (failure) {
    if (failure instanceof DOMException && failure.name === "AbortError") throw failure;
    throw new ApiError(0, TEXTS.requestFailed);
  }
}
