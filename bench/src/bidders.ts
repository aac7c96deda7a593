import { type Server, type Socket, createServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { someCertificate } from "../../server/src/platform/testing/some-certificate.ts";
import { serveParent } from "./child.ts";

/**
 * A process with bidders, each on its own port, that answer every OpenRTB request immediately with one bid. Requests whose id
 * starts with `silent` get no answer. Reports the ports once they listen, and on request the number of unanswered requests. With
 * `tls` as the second argument they speak TLS, and the certificate for `localhost` is reported too.
 */
const [count = "40", wire] = process.argv.slice(2);
const certificate = wire === "tls" ? someCertificate() : null;

const BODY_START = "\r\n\r\n";

function answerTo(body: string, price: number): string {
  const id = /"id":"([^"]*)"/.exec(body)?.[1] ?? "";
  const impId = /"imp":\[\{(?:[^[\]{}]*,)?"id":"([^"]*)"/.exec(body)?.[1] ?? "1";
  const bid = {
    id: "b1",
    impid: impId,
    price,
    adm: '<a href="https://example.com"><img src="https://example.com/ad.png" width="320" height="50"></a>',
    adomain: ["example.com"],
    crid: "creative-1",
    w: 320,
    h: 50,
    mtype: 1,
  };
  const text = JSON.stringify({ id, cur: "USD", seatbid: [{ seat: "lab", bid: [bid] }] });
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

/** Unanswered requests so far. */
let silences = 0;
const isSilentFor = (body: string) => body.includes('"id":"silent');

function startBidder(price: number): Promise<Server> {
  const converse = (socket: Socket) => {
    let received = "";
    socket.setNoDelay(true);
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      for (;;) {
        const bodyAt = received.indexOf(BODY_START);
        if (bodyAt < 0) return;
        const length = Number(/content-length: (\d+)/i.exec(received.slice(0, bodyAt))?.[1] ?? 0);
        const end = bodyAt + BODY_START.length + length;
        if (received.length < end) return;
        const body = received.slice(bodyAt + BODY_START.length, end);
        received = received.slice(end);
        if (isSilentFor(body)) silences++;
        else socket.write(answerTo(body, price));
      }
    });
  };
  const server = certificate ? createTlsServer(certificate, converse) : createServer(converse);
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}

const servers = await Promise.all(Array.from({ length: Number(count) }, (_, index) => startBidder(1 + index / 100)));
const ports = servers.map((server) => {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
});
serveParent({ ports, certificate: certificate?.cert }, async () => ({ silences }));
