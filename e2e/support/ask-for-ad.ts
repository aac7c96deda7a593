import { randomUUID } from "node:crypto";
import type { Format, Reply, explainAuction, sdkAd, sdkInit } from "@millrace/contract";
import type { Bid, BidResponse } from "@millrace/openrtb";
import type { BrowserContext } from "playwright-core";
import type { Platform } from "./start-platform.ts";
import { fromOwnAddress } from "./visitor.ts";

const USER_AGENT =
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36";
const DEVICE = { os: "Android", osv: "15", make: "Google", model: "Pixel 9", ua: USER_AGENT, w: 412, h: 915 };
const TRACED_WITHIN_MS = 60_000;

/** A device that runs the app's SDK, at an IP address of its own so that other tests do not use up its rate limits. */
export async function deviceOf({ url }: Platform, app: string) {
  const sender = { "user-agent": USER_AGENT, ...fromOwnAddress() };
  const post = async (path: string, body: object): Promise<unknown> => {
    const reply = await fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...sender },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${await reply.text()}`);
    return reply.json();
  };
  const { session } = (await post("/sdk/v1/init", {
    app,
    platform: "android",
    sdk_version: "1.0.0",
    install_id: randomUUID(),
    device: DEVICE,
  })) as Reply<typeof sdkInit>;
  const ask = async (zone: string, format: Format, size: { w?: number; h?: number } = { w: 320, h: 50 }) =>
    (await post("/sdk/v1/ad", { session, zone, format, ...size, device: DEVICE })) as Reply<typeof sdkAd>;
  return {
    ask,
    /** Asks until there is an ad, and reports its impression. */
    async show(zone: string, format: Format) {
      for (let tries = 0; tries < 30; tries++) {
        const [ad] = (await ask(zone, format)).ads;
        if (!ad) continue;
        const reply = await fetch(ad.beacons.impression, { headers: sender });
        if (!reply.ok) throw new Error(`The impression was answered ${reply.status}: ${await reply.text()}`);
        return;
      }
      throw new Error(`No ad came for the zone ${zone}`);
    },
  };
}

/** A phone that requests full-screen ads by OpenRTB. Each request names the phone's country. */
export function phoneOf({ url }: Platform, app: string) {
  const headers = { "content-type": "application/json", "user-agent": USER_AGENT, ...fromOwnAddress() };
  return async (country: string, { w, h } = { w: 320, h: 480 }): Promise<Bid | undefined> => {
    const body = {
      id: randomUUID(),
      imp: [{ id: "1", instl: 1, banner: { w, h } }],
      app: { id: app },
      device: { ua: USER_AGENT, os: "Android", osv: "15", geo: { country } },
    };
    const reply = await fetch(`${url}/openrtb2/auction`, { method: "POST", headers, body: JSON.stringify(body) });
    if (reply.status === 204) return undefined;
    if (!reply.ok) throw new Error(`The auction was answered ${reply.status}: ${await reply.text()}`);
    return ((await reply.json()) as BidResponse).seatbid?.[0]?.bid[0];
  };
}

/** Fetches the explanation of an auction, and retries until it is stored, which takes a moment. */
export async function traceOf({ request }: BrowserContext, auction: string): Promise<Reply<typeof explainAuction>> {
  const until = Date.now() + TRACED_WITHIN_MS;
  for (;;) {
    const reply = await request.get(`/auctions/${auction}.json`, { headers: { accept: "application/json" } });
    if (reply.ok()) return (await reply.json()) as Reply<typeof explainAuction>;
    if (reply.status() !== 404 || Date.now() > until) throw new Error(`The trace was answered ${reply.status()}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
