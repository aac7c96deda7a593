import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import type { BidRequest } from "@millrace/openrtb";
import { type PartnerId, partners } from "@millrace/partners";
import { answerAsPartner, NAMED_PARTNERS } from "@millrace/partners/testing";
import { serveParent } from "./child.ts";

/**
 * A process that answers as each named partner does, in its own wire format, and in gzip where the partner needs that; the first part of
 * a path names the partner. Reports its port once it listens, and on request how many calls each partner got.
 */
const HTML = '<a href="https://example.com"><img src="https://example.com/ad.png" width="320" height="50"></a>';
const ADM = { banner: HTML, video: HTML, audio: HTML, native: HTML };

const calls: Record<string, number> = {};

const server = createServer((message, reply) => {
  reply.on("error", () => undefined);
  void buffer(message).then((bytes) => {
    const partner = (message.url ?? "").split("/")[1] as PartnerId;
    calls[partner] = (calls[partner] ?? 0) + 1;
    const text = message.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes;
    const offer = { price: 1 + NAMED_PARTNERS.indexOf(partner) / 100, adm: ADM };
    const { status, headers, body } = answerAsPartner(partner, JSON.parse(text.toString()) as BidRequest, offer);
    const isZipped = body !== "" && partners[partner].gzip === true;
    reply.writeHead(status, { ...headers, ...(isZipped && { "content-encoding": "gzip" }) });
    reply.end(isZipped ? gzipSync(body) : body);
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  serveParent({ port: typeof address === "object" ? address?.port : 0 }, async () => ({ calls }));
});
