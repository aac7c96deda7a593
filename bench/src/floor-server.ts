import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type Socket, connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { serveParent } from "./child.ts";

/**
 * The bare floor of an auction, in a process of its own: parse the request, post it to every bidder on raw kept-alive
 * connections, parse the answers, pick the highest. No checks, no rules, no record. The bidders' ports come as JSON
 * in the first argument, and the file of their certificate in the second if they speak TLS; says its own port when it listens.
 */
const [portsText = "[]", certificateFile = ""] = process.argv.slice(2);
const ports = JSON.parse(portsText) as number[];
const ca = certificateFile === "" ? null : readFileSync(certificateFile);

interface Answer {
  seatbid: { bid: { price: number; adm: string }[] }[];
}

/** Idle connections by bidder; one request at a time runs on each. */
const idle: Socket[][] = ports.map(() => []);

function open(port: number): Socket {
  if (ca === null) return connect({ port, host: "127.0.0.1", noDelay: true });
  return connectTls({ port, host: "localhost", ca }).setNoDelay(true);
}

function post(bidder: number, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = idle[bidder]?.pop() ?? open(ports[bidder] ?? 0);
    let text = "";
    const onData = (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const bodyAt = text.indexOf("\r\n\r\n");
      if (bodyAt < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(text.slice(0, bodyAt))?.[1] ?? 0);
      if (text.length < bodyAt + 4 + length) return;
      socket.off("data", onData);
      socket.off("error", reject);
      idle[bidder]?.push(socket);
      resolve(text.slice(bodyAt + 4));
    };
    socket.on("data", onData);
    socket.on("error", reject);
    socket.write(
      `POST /bid HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as { id: string };
    const body = JSON.stringify(asked);
    void Promise.all(ports.map((_, bidder) => post(bidder, body))).then((texts) => {
      let best = { price: 0, adm: "" };
      for (const text of texts) {
        const answer = JSON.parse(text) as Answer;
        for (const bid of answer.seatbid[0]?.bid ?? []) if (bid.price > best.price) best = bid;
      }
      const reply = JSON.stringify({ id: asked.id, seatbid: [{ bid: [best] }] });
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(reply) });
      response.end(reply);
    });
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  serveParent({ port: typeof address === "object" ? address?.port : 0 });
});
