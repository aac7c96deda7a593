import { type PartnerSettings, PLATFORMS, WORLD_REGIONS } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import type { Pool } from "pg";
import { afterAll } from "vitest";
import { buildServer } from "../../../platform/http/build-server.ts";
import { silentLog } from "../../../platform/log.ts";
import { someCaller } from "../../../platform/testing/some-caller.ts";
import { testSealer } from "../../../platform/testing/test-sealer.ts";
import { demandPartnersArea } from "../index.ts";

/** The area's routes for an admin, with or without demo mode, until the file's end. The partner `north` has been asked today. */
export async function startDemandPartners(pool: Pool, demo: boolean): Promise<FastifyInstance> {
  const server = await buildServer({
    log: silentLog,
    trustedProxies: 0,
    authenticate: async () => someCaller({ role: "admin" }),
  });
  demandPartnersArea({
    log: silentLog,
    pool,
    clock: { now: () => Date.now() },
    sealer: testSealer,
    demo,
    rateDays: 7,
    currencyRates: undefined,
    partnersOnDay: async () => [
      {
        provider: "north",
        asked: 9,
        bids: 3,
        wins: 1,
        timeouts: 2,
        errors: 1,
        latencies: [20, 40],
        p50Ms: 20,
        p95Ms: 40,
      },
    ],
    publicUrl: "https://ads.example.com",
    contactEmail: "ads@example.com",
    revenueByPartner: async () => new Map(),
    findApp: async () => undefined,
  }).routes(server);
  afterAll(() => server.close());
  return server;
}

/** Settings that the catalogue's Xandr may have. */
export const someSettings = (more: Partial<PartnerSettings> = {}): PartnerSettings => ({
  kind: "xandr",
  name: "Xandr",
  active: true,
  endpoint: "",
  media_types: ["banner", "video"],
  platforms: [...PLATFORMS],
  regions: [...WORLD_REGIONS],
  region_endpoints: {},
  openrtb_version: "2.5",
  gzip: false,
  gvl_id: null,
  platform_ids: {},
  headers: {},
  credentials: null,
  currency: null,
  bid_currency: null,
  schain_node: null,
  qps_limit: null,
  app_ads_lines: [],
  ...more,
});
