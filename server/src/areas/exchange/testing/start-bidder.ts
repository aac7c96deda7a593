import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Bid, BidRequest } from "@millrace/openrtb";

/** A bidder on its own port, with configurable behaviour. */
export interface TestBidder {
  origin: string;
  endpoint: string;
  requests: BidRequest[];
  /** Paths of its notices, in the order of arrival. */
  notices: string[];
  close(): void;
}

export type Behaviour = (request: BidRequest, reply: ServerResponse, origin: string) => void;

export async function startBidder(behave: Behaviour): Promise<TestBidder> {
  const requests: BidRequest[] = [];
  const notices: string[] = [];
  const server = createServer((message, reply) => {
    reply.on("error", () => undefined);
    if (message.method === "GET") {
      notices.push(message.url ?? "");
      reply.writeHead(204).end();
      return;
    }
    void readBody(message).then((body) => {
      const request = JSON.parse(body) as BidRequest;
      requests.push(request);
      behave(request, reply, origin);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    endpoint: `${origin}/bid`,
    requests,
    notices,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readBody(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

export const BANNER_HTML = '<a href="https://shop.example/"><img src="https://cdn.example/ad.png" alt=""></a>';

/** A valid bid on the first imp, with notices to this bidder. */
export function goodBid(request: BidRequest, origin: string, price: number): Bid {
  const imp = request.imp[0];
  const notice = (kind: string) =>
    `${origin}/${kind}?price=\${AUCTION_PRICE}&loss=\${AUCTION_LOSS}&min=\${AUCTION_MIN_TO_WIN}&auction=\${AUCTION_ID}`;
  return {
    id: "bid-1",
    impid: imp?.id ?? "",
    price,
    mtype: 1,
    adm: BANNER_HTML,
    adomain: ["shop.example"],
    crid: "creative-1",
    w: imp?.banner?.format?.[0]?.w ?? imp?.banner?.w ?? 320,
    h: imp?.banner?.format?.[0]?.h ?? imp?.banner?.h ?? 50,
    nurl: notice("win"),
    burl: notice("billing"),
    lurl: notice("loss"),
  };
}

export function sendBids(reply: ServerResponse, request: BidRequest, bids: unknown[]): void {
  sendBody(reply, JSON.stringify({ id: request.id, cur: "USD", seatbid: [{ seat: "seat-1", bid: bids }] }));
}

export function sendBody(reply: ServerResponse, body: string): void {
  reply.writeHead(200, { "content-type": "application/json" }).end(body);
}

/** Bids this price with a banner on every request. */
export const bidsAt =
  (price: number): Behaviour =>
  (request, reply, origin) =>
    sendBids(reply, request, [goodBid(request, origin, price)]);

export const bidsNothing: Behaviour = (_, reply) => {
  reply.writeHead(204).end();
};

export const VIDEO_AD = `<VAST version="4.2"><Ad id="1"><InLine><AdSystem>B</AdSystem><AdTitle>T</AdTitle><Impression><![CDATA[https://b.example/i]]></Impression><Creatives><Creative><Linear><Duration>00:00:15</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" height="360"><![CDATA[https://b.example/v.mp4]]></MediaFile></MediaFiles><VideoClicks><ClickThrough><![CDATA[https://shop.example/]]></ClickThrough></VideoClicks></Linear></Creative></Creatives></InLine></Ad></VAST>`;

/** Bids $3 with this markup. `mtype` is OpenRTB's: 2 is video, 3 audio, 4 native. */
export const bidsMarkup =
  (adm: string, mtype: number): Behaviour =>
  (request, reply, origin) =>
    sendBids(reply, request, [{ ...goodBid(request, origin, 3), adm, mtype, w: undefined, h: undefined }]);
