import { afterEach, vi } from "vitest";

afterEach(() => vi.unstubAllGlobals());

/** A status and a body, or a function that returns them for a request. */
type Answer = readonly [status: number, body: unknown];
type Answers = Readonly<Record<string, Answer | ((body: unknown) => Answer)>>;

interface Sent {
  /** `POST /login.json` */
  call: string;
  body: unknown;
}

const SITE: Answer = [
  200,
  {
    operator: { name: "Example Ltd", email: null, address: null },
    social: [],
    demo: false,
    publisher_share: 80,
    mailbox: null,
  },
];

/**
 * Answers calls by method and path, including the query, in place of a server; others get 404. Returns the requests.
 */
export function stubCalls(answers: Answers): Sent[] {
  const sent: Sent[] = [];
  const all: Answers = { "GET /site.json": SITE, ...answers };
  vi.stubGlobal("fetch", async (address: string, { method = "GET", body }: RequestInit) => {
    const call = `${method} ${address}`;
    const given: unknown = typeof body === "string" ? JSON.parse(body) : undefined;
    if (call !== "GET /site.json") sent.push({ call, body: given });
    const answer = all[call] ?? ([404, { error: "There is nothing at this address" }] as const);
    const [status, reply] = typeof answer === "function" ? answer(given) : answer;
    return Response.json(reply, { status });
  });
  return sent;
}
