import type { Ad, Reply, sdkAd, sdkInit } from "@millrace/contract";

export const APP = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
export const AUCTION = "0b8f0a0e-5a5e-4d0c-9c53-6f6b1f0f7a11";

export const initReply = (session = "session-1"): Reply<typeof sdkInit> => ({
  session,
  session_timeout_seconds: 1800,
  latest_sdk_version: "1.0.0",
  formats: ["banner", "interstitial"],
  zones: [{ zone: "home", name: "home", format: "banner", refresh_seconds: 30 }],
  ping_seconds: 30,
});

export const ad = (endpoint: string, provider: string, more: Partial<Ad> = {}): Ad => ({
  provider,
  format: "banner",
  markup: { type: "html", content: `<a href="https://shop.example/${provider}">${provider}</a>` },
  w: 320,
  h: 50,
  revenue_micros: 1_500,
  beacons: {
    impression: `${endpoint}/b/imp/${provider}`,
    click: `${endpoint}/b/click/${provider}`,
    loss: `${endpoint}/b/loss/${provider}`,
  },
  ...more,
});

export const adReply = (ads: Ad[], more: Partial<Reply<typeof sdkAd>> = {}): Reply<typeof sdkAd> => ({
  auction: AUCTION,
  ads,
  refresh_seconds: 30,
  country: "DE",
  expires_seconds: 1500,
  ...more,
});
