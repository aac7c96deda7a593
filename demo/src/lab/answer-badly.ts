import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { BidResponse } from "@millrace/openrtb";
import { MTYPE } from "@millrace/openrtb";
import type { Fault } from "./personality.ts";

const MEBIBYTE = 2 ** 20;
/** Far above any limit for bid responses. Sent in chunks, so that the lab uses little memory. */
const HUGE_MEBIBYTES = 64;
const BOMB_MEBIBYTES = 512;

/** Answers a request with `fault`. `good` is the response of a well-behaved bidder. */
export async function answerBadly(fault: Fault, response: ServerResponse, good: BidResponse): Promise<void> {
  const text = JSON.stringify(good);
  switch (fault) {
    case "silent":
      // The connection stays open until the exchange closes it.
      return;
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "unavailable":
      response.writeHead(503).end();
      return;
    case "huge":
      return sendHuge(response, text);
    case "gzip-bomb":
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(gzipBomb(text));
      return;
    case "broken-json":
      return send(response, text.slice(0, Math.floor(text.length / 2)));
    case "negative-price":
      return send(response, priced(text, "-4.5"));
    case "infinite-price":
      return send(response, priced(text, "1e309"));
    case "nan-price":
      return send(response, priced(text, "NaN"));
    case "wrong-currency":
      return send(response, JSON.stringify({ ...good, cur: "XTS" }));
    case "wrong-imp":
      return send(response, JSON.stringify(changed(good, (bid) => ({ ...bid, impid: `${bid.impid}-of-another` }))));
    case "wrong-media":
      return send(response, JSON.stringify(changed(good, (bid) => ({ ...bid, mtype: otherMedia(bid.mtype) }))));
    case "slow":
      // The fault is the delay, which has already passed.
      return send(response, text);
  }
}

export function send(response: ServerResponse, body: string): void {
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) }).end(body);
}

type AnyBid = NonNullable<BidResponse["seatbid"]>[number]["bid"][number];

function changed(good: BidResponse, change: (bid: AnyBid) => AnyBid): BidResponse {
  const copy = structuredClone(good);
  for (const seat of copy.seatbid ?? []) seat.bid = seat.bid.map(change);
  return copy;
}

const otherMedia = (mtype: number | undefined) => (mtype === MTYPE.banner ? MTYPE.video : MTYPE.banner);

/** JSON.stringify cannot write these prices, so they are inserted into the text. */
const priced = (text: string, price: string) => text.replaceAll(/"price":[\d.e+-]+/g, `"price":${price}`);

async function sendHuge(response: ServerResponse, text: string): Promise<void> {
  response.writeHead(200, { "content-type": "application/json" });
  const padding = Buffer.alloc(MEBIBYTE, " ");
  response.on("error", () => {});
  for (let sent = 0; sent < HUGE_MEBIBYTES && !response.destroyed; sent++) {
    if (!response.write(padding)) await drained(response);
  }
  if (!response.destroyed) response.end(text);
}

/** Waits until the socket drains or closes. */
const drained = (response: ServerResponse) =>
  new Promise<void>((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });

/** Half a gibibyte of spaces and then the bid. Gzip members can be concatenated, so one compressed mebibyte is repeated. */
function gzipBomb(text: string): Buffer {
  const member = gzipSync(Buffer.alloc(MEBIBYTE, " "), { level: 9 });
  return Buffer.concat([...Array.from({ length: BOMB_MEBIBYTES }, () => member), gzipSync(text)]);
}
