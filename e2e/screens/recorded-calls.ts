import type { BrowserContext, Request } from "playwright-core";

/** An answer as recorded: texts as they are, other bodies in base64. */
export interface Answer {
  status: number;
  type: string;
  text?: string;
  base64?: string;
}

/** Answers by their request: method, path with query, and body. */
export type Answers = Record<string, Answer>;

/** Where pages are drawn, whatever port the platform has: some show their own address. */
export const DRAWN_AT = "http://127.0.0.1:8080";

/** What a page asks for besides itself and the files of the build. */
const isCall = (request: Request): boolean =>
  request.isNavigationRequest()
    ? request.frame().parentFrame() !== null
    : !new URL(request.url()).pathname.startsWith("/assets/") &&
      ["fetch", "xhr", "image"].includes(request.resourceType());

/** Data and blobs are the page's own. */
const isSent = (request: Request): boolean => /^https?:/.test(request.url());

/** The body counts as well: some calls that only read are posts. */
function keyOf(request: Request): string {
  const { pathname, search } = new URL(request.url());
  return [request.method(), `${pathname}${search}`, request.postData() ?? ""].join(" ").trim();
}

/** Keeps the last answer to each call of the context's pages, as if the platform stood at the address of `DRAWN_AT`. */
export function recordCalls(context: BrowserContext, origin: string): Answers {
  const answers: Answers = {};
  context.on("response", async (response) => {
    const request = response.request();
    if (!isCall(request) || !request.url().startsWith(origin)) return;
    const body = await response.body().catch(() => null);
    // A call that the page gave up, or a redirect.
    if (body === null) return;
    const type = response.headers()["content-type"] ?? "";
    const isText = /^(text|application\/json)/.test(type);
    const kept = isText
      ? { text: body.toString().replaceAll(new URL(origin).host, new URL(DRAWN_AT).host) }
      : { base64: body.toString("base64") };
    answers[keyOf(request)] = { status: response.status(), type, ...kept };
  });
  return answers;
}

/**
 * Answers the calls of the context's pages as recorded; pages and the files of the build come from the platform at `origin`.
 * Calls that were not recorded fail, and are added to the list that it resolves with.
 */
export async function replayCalls(context: BrowserContext, answers: Answers, origin: string): Promise<string[]> {
  const missing: string[] = [];
  await context.route("**/*", async (route) => {
    const request = route.request();
    if (!isSent(request)) return route.fallback();
    if (!isCall(request)) {
      const { pathname, search } = new URL(request.url());
      return route.fulfill({ response: await route.fetch({ url: `${origin}${pathname}${search}` }) });
    }
    const answer = answers[keyOf(request)];
    if (!answer) {
      missing.push(keyOf(request));
      return route.abort();
    }
    const { status, type, text, base64 } = answer;
    return route.fulfill({ status, contentType: type, body: text ?? Buffer.from(base64 ?? "", "base64") });
  });
  return missing;
}
