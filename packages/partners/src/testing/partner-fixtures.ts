import { existsSync, readFileSync } from "node:fs";
import type { BidRequest, Imp, MediaType } from "@millrace/openrtb";
import type { Host } from "../requests-of.ts";

/**
 * A partner's fixtures, `<id>.fixtures.json`. A case's `ask` overrides fields of `ASK`; imps need no ids and get `keys`. The
 * calls in `sent` have the imps as sent, and in `changed` all other fields that differ from the request in the partner's
 * version: null for those that are not sent.
 */
export interface Fixtures {
  /** Valid keys with all that the schema has, each with a value that is found in no request by chance. */
  keys: Record<string, unknown>;
  /** Settings that the partner needs of the operator. */
  host?: Host;
  cases: Case[];
}

interface Case {
  name: string;
  ask: Partial<Omit<BidRequest, "imp">> & { imp: Partial<Imp>[] };
  keys?: Record<string, unknown>;
  host?: Host;
  ratesToUsd?: Record<string, number>;
  sent?: {
    url: string;
    /** Among others. */
    headers?: Record<string, string>;
    /** Those of all imps unless given. */
    impIds?: string[];
    imp: unknown[];
    changed?: Record<string, unknown>;
  }[];
  /** Instead of `sent`: no call is made, for a reason with these words. */
  refused?: string;
  /** Responses to the first call. */
  answers?: {
    status?: number;
    headers?: Record<string, string>;
    body?: unknown;
    currency?: string;
    bids?: unknown[];
    error?: string;
  }[];
}

const ASK: Omit<BidRequest, "imp"> = {
  id: "r1",
  at: 1,
  tmax: 100,
  app: { id: "app-1", bundle: "com.example.game", publisher: { id: "pub-1", name: "Example Games" } },
  device: { ua: "Agent/1.0", ip: "192.0.2.1", os: "android", language: "en", ifa: "ifa-1", dnt: 0 },
  user: { id: "user-1", buyeruid: "buyer-1" },
  source: { tid: "t1" },
};

/** An imp of each media type that every partner accepts. */
export const IMPS: Record<MediaType, Partial<Imp>> = {
  banner: { banner: { w: 320, h: 50, format: [{ w: 320, h: 50 }] } },
  video: { video: { mimes: ["video/mp4"], maxduration: 30, protocols: [2, 3], w: 320, h: 480 } },
  audio: { audio: { mimes: ["audio/mp4"], maxduration: 30 } },
  native: { native: { request: '{"ver":"1.2","assets":[{"id":1,"required":1,"title":{"len":25}}]}', ver: "1.2" } },
};

const fileOf = (id: string) => new URL(`../${id}.fixtures.json`, import.meta.url);

export const fixturesOf = (id: string): Fixtures | undefined =>
  existsSync(fileOf(id)) ? (JSON.parse(readFileSync(fileOf(id), "utf8")) as Fixtures) : undefined;

/** The request of a case. */
export function requestOf(ask: Case["ask"], keys: object): BidRequest {
  const imp = ask.imp.map((each, index) => ({
    id: String(index + 1),
    ...each,
    ext: { bidder: keys, ...each.ext },
  }));
  return { ...ASK, ...ask, imp };
}
