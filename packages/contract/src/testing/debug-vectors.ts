import { type Reply, sdkDebug } from "../index.ts";

/** An answer to `sdkDebug`, and what a debugger must read in it: null if it is not from the platform. */
export interface DebugVector {
  name: string;
  json?: unknown;
  reads: object | null;
}

const UUID = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
const PARTNER = {
  provider: "cedar",
  name: "Cedar",
  is_on: true,
  has_banner_keys: true,
  has_video_keys: false,
  is_paused: false,
};
const PARTICIPANT = {
  provider: "cedar",
  name: "Cedar",
  result: "timeout" as const,
  label: "Timed out",
  text: "No answer in time",
  price: null,
  latency_ms: 100.5,
};
const AUCTION = {
  auction: "0b8f0a0e-5a5e-4d0c-9c53-6f6b1f0f7a11",
  at: "2026-11-24T10:00:00.000Z",
  zone: "home",
  format: "banner" as const,
  test: false,
  sentence: "Nobody bought this banner",
  detail: "",
  price: null,
  answered_ms: 101,
  participants: [PARTICIPANT],
};
const FULL: Reply<typeof sdkDebug> = {
  app: { uuid: UUID, name: "Puzzle", is_live: true, is_switched_off: false },
  token_expires_at: "2026-11-24T11:00:00.000Z",
  latest_sdk_version: "1.0.0",
  app_ads: "missing",
  zones: [{ zone: "home", name: "Home", format: "banner", refresh_seconds: 30 }],
  partners: [PARTNER],
  adapters: [{ adapter: "Larch", line_item: "Larch in the evening", format: "video" }],
  auctions: [AUCTION],
};

/** What a debugger must make of answers, faulty ones included. */
export function debugVectors(): DebugVector[] {
  const vector = (name: string, json: unknown, reads: object | null): DebugVector => ({ name, json, reads });
  const { app: _app, ...withoutApp } = FULL;
  return [
    vector("a full answer", sdkDebug.reply.parse(FULL), FULL),
    vector("fields of a later version are left out", { ...FULL, later: 1, app: { ...FULL.app, later: {} } }, FULL),
    vector("values of later lists are read as they are", { ...FULL, app_ads: "later" }, { ...FULL, app_ads: "later" }),
    vector("without the app", withoutApp, null),
    vector("a page of a captive portal", "<!doctype html>", null),
    vector("nothing", null, null),
    vector("a list", [FULL], null),
    vector("no list of partners", { ...FULL, partners: "cedar" }, null),
    vector("no moment as the token's end", { ...FULL, token_expires_at: "soon" }, null),
    vector(
      "other lists are missing",
      { ...FULL, zones: null, adapters: {}, auctions: undefined },
      {
        ...FULL,
        zones: [],
        adapters: [],
        auctions: [],
      },
    ),
    vector(
      "faulty entries are left out",
      {
        ...FULL,
        partners: [null, "x", { ...PARTNER, name: 1 }, { ...PARTNER, is_on: 1 }, PARTNER],
        zones: [{ ...FULL.zones[0], refresh_seconds: -1 }, ...FULL.zones],
        auctions: [{ ...AUCTION, auction: "javascript:alert(1)" }, { ...AUCTION, price: "1" }, AUCTION],
      },
      FULL,
    ),
    vector(
      "a faulty participant is left out, and its auction stays",
      {
        ...FULL,
        auctions: [{ ...AUCTION, participants: [{ ...PARTICIPANT, latency_ms: "fast" }, PARTICIPANT] }],
      },
      FULL,
    ),
    vector(
      "long texts are cut to 500 characters",
      { ...FULL, app: { ...FULL.app, name: "a".repeat(501) } },
      {
        ...FULL,
        app: { ...FULL.app, name: "a".repeat(500) },
      },
    ),
  ];
}
