import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  method: string;
  path: string;
  body: unknown;
}

interface Answer {
  status?: number;
  json?: unknown;
  headers?: Record<string, string>;
  /** Closes the connection after reading the request: the server has it, but the client gets no reply. */
  cut?: boolean;
}

/** An HTTP server that replies with `answer` and records its requests. */
export async function protocolServer(answer: (request: Received) => Answer | Promise<Answer>) {
  const received: Received[] = [];
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const got = { method: request.method ?? "", path: request.url ?? "", body: await bodyOf(request) };
    received.push(got);
    const { status = 200, json, headers = {}, cut } = await answer(got);
    if (cut) {
      response.destroy();
      return;
    }
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(json === undefined ? "" : JSON.stringify(json));
  }
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint,
    received,
    /** Requests whose path starts with `path`. */
    of: (path: string) => received.filter((request) => request.path.startsWith(path)),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === "" ? undefined : (JSON.parse(text) as unknown);
}
