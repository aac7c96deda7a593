import { createServer, type ServerResponse } from "node:http";
import { serveParent } from "./child.ts";

/**
 * A process with a bidder that says to one request in three that it does not bid, so that its circuit breaker stays closed, and treats
 * the others in all of these ways in turn. Reports its port once it listens, and on request how many calls it got.
 */
const ANSWERS_EVERY = 3;
const BAD_WAYS: readonly ((reply: ServerResponse) => void)[] = [
  () => {},
  (reply) => void setTimeout(() => reply.end(), 800),
  drip,
  pour,
  (reply) => reply.socket?.destroy(),
  (reply) => void reply.writeHead(500).end("oops"),
  (reply) => reply.end('{"id":"'),
];

/** A byte now and then, for ever. */
function drip(reply: ServerResponse): void {
  const timer = setInterval(() => reply.write(" "), 5);
  reply.on("close", () => clearInterval(timer));
}

/** Made once, so that this process takes little of the machine from the platform. */
const MUCH = Buffer.alloc(65_536, "x");

/** As much as it can send. */
function pour(reply: ServerResponse): void {
  const more = () => {
    while (!reply.destroyed && reply.write(MUCH));
  };
  reply.on("drain", more);
  more();
}

let calls = 0;
const server = createServer((message, reply) => {
  reply.on("error", () => undefined);
  message.resume();
  message.on("end", () => {
    if (++calls % ANSWERS_EVERY === 0) reply.writeHead(204).end();
    else BAD_WAYS[Math.floor((calls * (ANSWERS_EVERY - 1)) / ANSWERS_EVERY) % BAD_WAYS.length]?.(reply);
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  serveParent({ port: typeof address === "object" ? address?.port : 0 }, async () => ({ calls }));
});
