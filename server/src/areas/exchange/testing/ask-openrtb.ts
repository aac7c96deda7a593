import type { BidRequest, BidResponse } from "@millrace/openrtb";
import { ANDROID_UA, post, type TestExchange } from "./start-exchange.ts";

/** A server's request for a banner in the app `com.example.game`. */
export const bannerRequest = (more: Partial<BidRequest> = {}): BidRequest => ({
  id: "request-1",
  imp: [{ id: "imp-1", tagid: "/1/home#1", banner: { format: [{ w: 320, h: 50 }] } }],
  app: { bundle: "com.example.game" },
  device: { ua: ANDROID_UA, ip: "8.8.8.8", os: "Android" },
  ...more,
});

/** Sends a well-formed request and returns the response. */
export async function askOpenrtb(
  exchange: TestExchange,
  request: unknown,
  headers: Record<string, string> = {},
): Promise<BidResponse> {
  const reply = await post(exchange, "/openrtb2/auction", request, headers);
  if (reply.statusCode !== 200) throw new Error(`the auction replied ${reply.statusCode}: ${reply.body}`);
  return reply.json();
}
