import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import type { BidRequest } from "@millrace/openrtb";
import type { PartnerId } from "@millrace/partners";
import { answerAsPartner, endpointAt, keysAt, NAMED_PARTNERS } from "@millrace/partners/testing";
import type { TestStores } from "../../../platform/testing/stores.ts";
import { BANNER_HTML, VIDEO_AD } from "./start-bidder.ts";
import { addPartner, type TestApp } from "./start-exchange.ts";

/** A call as it came over the wire. */
export interface LabCall {
  partner: PartnerId;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** One server that answers as each of the forty named partners does. */
export interface PartnerLab {
  calls: LabCall[];
  /** Registers all of them, and an app's keys at each. */
  connect(stores: TestStores, app: TestApp): Promise<void>;
  close(): void;
}

/** `behave` replaces the answer of some partners; for others it returns false. */
export async function startPartnerLab(
  behave: (partner: PartnerId, reply: ServerResponse) => boolean = () => false,
): Promise<PartnerLab> {
  const calls: LabCall[] = [];
  const server = createServer((message, reply) => {
    reply.on("error", () => undefined);
    void buffer(message).then((bytes) => {
      const { url = "", headers } = message;
      const partner = url.split("/")[1] as PartnerId;
      const body = (headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString();
      calls.push({ partner, url, headers, body });
      if (!behave(partner, reply)) answer(partner, JSON.parse(body) as BidRequest, headers, reply);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    calls,
    async connect(stores, app) {
      for (const id of NAMED_PARTNERS) {
        const { keys } = keysAt(id);
        await addPartner(stores, app, id, endpointAt(id, origin), { kind: id, keys });
      }
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(partner: PartnerId, sent: BidRequest, asked: IncomingMessage["headers"], reply: ServerResponse): void {
  const price = 1 + NAMED_PARTNERS.indexOf(partner) / 100;
  const { status, headers, body } = answerAsPartner(partner, sent, { price, adm: MARKUP });
  if (body === "") {
    reply.writeHead(status).end();
  } else if (String(asked["accept-encoding"]).includes("gzip")) {
    reply.writeHead(status, { ...headers, "content-encoding": "gzip" }).end(gzipSync(body));
  } else {
    reply.writeHead(status, headers).end(body);
  }
}

const NATIVE_AD = JSON.stringify({
  ver: "1.2",
  link: { url: "https://shop.example/" },
  assets: [{ id: 1, title: { text: "Shoes" } }],
});
const MARKUP = { banner: BANNER_HTML, video: VIDEO_AD, audio: VIDEO_AD, native: NATIVE_AD };
