import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

export interface AdServer {
  /** The origin of the app's page. */
  pageOrigin: string;
  /** The origin of ads and SDK, which differs from the page's as in production. */
  endpoint: string;
  /** The body of each init call. */
  inits: Record<string, unknown>[];
  /** Everything received, alone or in a batch: a beacon as its kind and token, a ping as `ping`. */
  received: string[];
  /** While true, the connections of beacons are closed without an answer. */
  cutBeacons: boolean;
  /** The markup of the next ads, in the order of the answer. */
  markups: string[];
  /** The steps of the next answers, if they have any. */
  steps: readonly object[] | null;
  /** The answer to the debugger's calls, and the bodies of these calls. */
  debug: { status: number; body: string };
  debugCalls: Record<string, unknown>[];
  /** The body of each request for ads. */
  adRequests: Record<string, unknown>[];
  /** What kind of markup it is. */
  markupType: string;
  /** Each path that was requested. */
  paths: string[];
  /** Files by path, beside the SDK's. */
  files: Map<string, { type: string; body: Buffer | string }>;
  /** The paths below `/track/` that were called, with their query, in their order. */
  tracked: string[];
  /** The Content-Security-Policy of the app's page. */
  pagePolicy: string | null;
  /** Runs in the app's page once the SDK is loaded. */
  pageScript: string;
  close(): Promise<void>;
}

const TYPES: Record<string, string> = { ".html": "text/html", ".mp4": "video/mp4", ".svg": "image/svg+xml" };

const appPage = ({ endpoint, pageScript }: AdServer) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>App</title><div id="place"></div><button id="before">before</button>
<script src="${endpoint}/sdk/millrace.js"></script><script>${pageScript}</script>`;

/** Serves the SDK's protocol with answers that the test chooses, including ones that a healthy platform never gives. */
export async function adServer(sdkDir: string): Promise<AdServer> {
  const state: AdServer = {
    pageOrigin: "",
    endpoint: "",
    inits: [],
    received: [],
    cutBeacons: false,
    markups: ["<b>ad</b>"],
    steps: null,
    debug: { status: 200, body: "{}" },
    debugCalls: [],
    adRequests: [],
    markupType: "html",
    paths: [],
    files: new Map(),
    tracked: [],
    pagePolicy: null,
    pageScript: "",
    close: async () => {},
  };

  const pages = createServer((_, response) => {
    response.writeHead(200, {
      "content-type": "text/html",
      ...(state.pagePolicy === null ? {} : { "content-security-policy": state.pagePolicy }),
    });
    response.end(appPage(state));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://ads");
    if (request.method !== "OPTIONS") state.paths.push(pathname);
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "content-type");
    const file = state.files.get(pathname);
    const json = (value: unknown) => response.setHeader("content-type", "application/json").end(JSON.stringify(value));
    if (request.method === "OPTIONS") response.writeHead(204).end();
    else if (pathname === "/sdk/v1/init") {
      state.inits.push((await readJson(request)) as Record<string, unknown>);
      json(initReply());
    } else if (pathname === "/sdk/v1/ad") {
      state.adRequests.push((await readJson(request)) as Record<string, unknown>);
      json(adReply(state));
    } else if (pathname === "/sdk/v1/debug") {
      state.debugCalls.push((await readJson(request)) as Record<string, unknown>);
      response.writeHead(state.debug.status, { "content-type": "application/json" }).end(state.debug.body);
    } else if (file) serveFile(request, response, file);
    else if (pathname.startsWith("/track/")) {
      state.tracked.push((request.url ?? "").slice("/track/".length));
      response.writeHead(204).end();
    } else if (pathname === "/landing") response.setHeader("content-type", "text/html").end("<title>Landing</title>");
    else if (state.cutBeacons && /^\/(beacon\/|sdk\/v1\/(ping|events)$)/.test(pathname)) response.destroy();
    else if (pathname.startsWith("/beacon/")) {
      const more = searchParams.get("e") ?? searchParams.get("paid_micros");
      state.received.push(
        [path.basename(pathname), searchParams.get("t"), more].filter((part) => part !== null).join(" "),
      );
      response.writeHead(204).end();
    } else if (pathname === "/sdk/v1/ping") {
      state.received.push("ping");
      response.writeHead(204).end();
    } else if (pathname === "/sdk/v1/events") {
      const { events } = (await readJson(request)) as { events: { type: string; token?: string }[] };
      for (const { type, token } of events) state.received.push(token === undefined ? type : `${type} ${token}`);
      json({ results: events.map(() => ({ result: "accepted" })) });
    } else if (pathname.startsWith("/sdk/")) {
      const file = path.basename(pathname);
      const type = TYPES[path.extname(file)] ?? "text/javascript";
      serveFile(request, response, { type, body: await readFile(path.join(sdkDir, file)) });
    } else response.writeHead(404).end();
  }
  const ads = createServer((request, response) => void answer(request, response));

  const origin = async (server: typeof ads) => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  state.pageOrigin = await origin(pages);
  state.endpoint = await origin(ads);
  state.close = async () => {
    for (const server of [pages, ads]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  };
  return state;
}

/** With ranges, which players ask for. */
function serveFile(request: IncomingMessage, response: ServerResponse, file: { type: string; body: Buffer | string }) {
  const body = Buffer.from(file.body);
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
  response.setHeader("content-type", file.type).setHeader("accept-ranges", "bytes");
  if (from === undefined) {
    response.end(body);
    return;
  }
  const last = to ? Number(to) : body.length - 1;
  response.writeHead(206, { "content-range": `bytes ${from}-${last}/${body.length}` });
  response.end(body.subarray(Number(from), last + 1));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

const initReply = () => ({
  session: "a-session",
  session_timeout_seconds: 1800,
  latest_sdk_version: "1.0.0",
  formats: ["banner", "interstitial"],
  zones: [],
  ping_seconds: 30,
});

const adReply = ({ markups, markupType, steps, endpoint }: AdServer) => ({
  ...(steps && { steps }),
  auction: "0b8f0a0e-5a5e-4d0c-9c53-6f6b1f0f7a11",
  ads: markups.map((content, place) => ({
    provider: `partner-${place}`,
    format: "banner",
    markup: { type: markupType, content },
    w: 320,
    h: 50,
    revenue_micros: 1500,
    reward: { name: "coins", amount: 5 },
    beacons: {
      impression: `${endpoint}/beacon/impression?t=${place}`,
      click: `${endpoint}/beacon/click?t=${place}`,
      loss: `${endpoint}/beacon/loss?t=${place}`,
      reward: `${endpoint}/beacon/reward?t=${place}`,
    },
  })),
  refresh_seconds: 30,
  country: "DE",
  expires_seconds: 1500,
});
