import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from "node:http";
import type { FastifyInstance } from "fastify";
import { inTurn } from "./in-turn.ts";

/** Where requests for other routes go: the dashboard's process, on a socket that only our user can reach. */
interface Forwarding {
  socket: string;
  /** Proxies in front of this process, whose headers are passed on. */
  trustedProxies: number;
}

type Handler = (request: IncomingMessage, reply: ServerResponse) => void;

const AWAY = JSON.stringify({ error: "The dashboard is starting; please try again" });
/** Headers of one connection, which are not passed on (RFC 9110, section 7.6.1). */
const HOPS = [
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "proxy-connection",
  "te",
  "trailer",
  "expect",
];

/** A server that handles its own routes and forwards all others; `routes` learns which are its own. */
export function forwardingServer({ socket, trustedProxies }: Forwarding, options: object) {
  const exact = new Set<string>();
  const prefixes: string[] = [];
  const isOwn = (url: string) => {
    const path = pathOf(url);
    return exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix));
  };
  return {
    factory: (handle: Handler): Server =>
      createServer(options, (request, reply) => {
        if (isOwn(request.url ?? "")) handle(request, reply);
        else inTurn(request, reply, () => forward(request, reply, socket, trustedProxies));
      }),
    /** Call it before routes are added. */
    learn(app: FastifyInstance): void {
      app.addHook("onRoute", ({ url }) => {
        const wild = url.search(/[*:]/);
        if (wild < 0) exact.add(url);
        else prefixes.push(url.slice(0, wild));
      });
    },
  };
}

/** As routes are matched: a target may also name scheme and host (RFC 9112, section 3.2.2), and have letters percent-encoded. */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, "").split("?", 1)[0] ?? "";
  if (!path.includes("%")) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function forward(request: IncomingMessage, reply: ServerResponse, socketPath: string, trustedProxies: number): void {
  const headers: Record<string, string | string[] | undefined> = { ...request.headers };
  for (const hop of HOPS) delete headers[hop];
  // A body of unknown length keeps its chunks. Without them node would write the body of a GET as it is, and the dashboard
  // would read it as the next request.
  if (request.headers["transfer-encoding"] !== undefined) headers["transfer-encoding"] = "chunked";
  // What a client says about itself is passed on only if our own proxies said it.
  if (trustedProxies === 0) {
    for (const name of Object.keys(headers))
      if (name.startsWith("x-forwarded-") || name === "forwarded") delete headers[name];
  }
  const forwardedFor = headers["x-forwarded-for"];
  const address = request.socket.remoteAddress ?? "";
  headers["x-forwarded-for"] = forwardedFor === undefined ? address : `${String(forwardedFor)}, ${address}`;
  const { method, url: path } = request;
  // A connection for each request: whatever goes wrong with one, the next cannot get its answer.
  const onward = httpRequest({ socketPath, method, path, headers, agent: false }, (answer) => {
    const answered = { ...answer.headers };
    for (const hop of HOPS) delete answered[hop];
    reply.writeHead(answer.statusCode ?? 502, answered);
    answer.pipe(reply);
    answer.on("error", () => reply.destroy());
  });
  onward.on("error", () => {
    if (reply.headersSent) return void reply.destroy();
    reply.writeHead(503, { "content-type": "application/json", "retry-after": "2", "cache-control": "no-store" });
    reply.end(AWAY);
  });
  reply.on("close", () => onward.destroy());
  request.pipe(onward);
}
