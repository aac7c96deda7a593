import { afterEach, vi } from "vitest";

afterEach(() => vi.unstubAllGlobals());

/** A request sent by the page. */
export interface SentCall {
  query: URLSearchParams;
  body: unknown;
}

type Answer = (sent: SentCall) => unknown;

/** A failed reply: a message, or messages by field. */
export const refused = (status: number, error: string | Record<string, string>) => Response.json({ error }, { status });

/** JSON as its value, and a form as the text that was sent. */
function bodyOf({ body, headers }: RequestInit): unknown {
  if (typeof body !== "string") return undefined;
  return new Headers(headers).get("content-type") === "application/json" ? (JSON.parse(body) as unknown) : body;
}

/**
 * Answers calls by method and path without the query (`POST /profile/edit.json`), from a state that may change during
 * the test; others get 404. Returns the requests to a path in order.
 */
export function answerCalls(answers: Readonly<Record<string, Answer>>) {
  const sent = new Map<string, SentCall[]>();
  vi.stubGlobal("fetch", async (address: string, init: RequestInit = {}) => {
    const url = new URL(address, "http://here.test");
    const name = `${init.method ?? "GET"} ${url.pathname}`;
    const call: SentCall = {
      query: url.searchParams,
      body: bodyOf(init),
    };
    sent.set(name, [...(sent.get(name) ?? []), call]);
    const answer = (await answers[name]?.(call)) ?? refused(404, `${name} is not answered here`);
    return answer instanceof Response ? answer : Response.json(answer);
  });
  return (name: string): readonly SentCall[] => sent.get(name) ?? [];
}
