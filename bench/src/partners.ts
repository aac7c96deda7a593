import type { Pool } from "pg";
import { hashPassword, insertOwner } from "../../server/src/areas/accounts/index.ts";
import { type App, createApp } from "../../server/src/areas/apps/index.ts";
import { setPartnerKeys, upsertPartner } from "../../server/src/areas/demand-partners/index.ts";
import { sealer } from "../../server/src/platform/sealed/sealer.ts";
import { somePartner } from "../../server/src/testing/some-partner.ts";
import { BENCH_SECRET } from "./stores.ts";

const PUBLISHER = { email: "bench@example.com", password: "bench-password" };

/** Inserts the benchmark's publisher, whom `signIn` can sign in. */
export async function makePublisher(pool: Pool): Promise<{ accountId: number; email: string; password: string }> {
  const made = await insertOwner(pool, {
    email: PUBLISHER.email,
    name: "Bench",
    passwordHash: await hashPassword(PUBLISHER.password),
    role: "owner",
    agreedVersion: 1,
    canApps: true,
    canCampaign: false,
    demo: false,
  });
  if (!made) throw new Error("the benchmark's publisher exists already: the stores must be new");
  return { accountId: made.accountId, ...PUBLISHER };
}

/** A partner of the benchmark's app, with the app's keys at it. */
export interface BenchPartner {
  id: string;
  kind: string;
  endpoint: string;
  keys(format: "banner" | "video"): Record<string, unknown>;
}

/** OpenRTB bidders at these ports of an origin like `http://127.0.0.1`. */
export const biddersAt = (origin: string, ports: readonly number[]): BenchPartner[] =>
  ports.map((port, index) => {
    const id = `bidder-${String(index + 1).padStart(2, "0")}`;
    return {
      id,
      kind: "openrtb",
      endpoint: `${origin}:${port}/bid`,
      keys: (format) => ({ placement: `${id}-${format}` }),
    };
  });

/** Inserts an app with keys for these partners. */
export async function makeApp(pool: Pool, accountId: number, partners: readonly BenchPartner[]): Promise<App> {
  const app = await createApp(pool, accountId, { name: "Bench", bundleId: "com.example.bench", platform: "android" });
  for (const { id, kind, endpoint, keys } of partners) {
    await upsertPartner(pool, somePartner({ id, kind, endpoint }));
    for (const format of ["banner", "video"] as const) {
      await setPartnerKeys(pool, sealer([BENCH_SECRET]), accountId, {
        app_id: app.id,
        partner_id: id,
        format,
        keys: keys(format),
        enabled: true,
      });
    }
  }
  return app;
}

/** A typical OpenRTB 2.6 banner request of about 1.4 kB. */
export function bidRequest(appUuid: string, id: string): string {
  return JSON.stringify({
    id,
    tmax: 100,
    at: 1,
    cur: ["USD"],
    imp: [
      {
        id: "1",
        tagid: "home-bottom",
        displaymanager: "Millrace",
        displaymanagerver: "1.0.0",
        instl: 0,
        secure: 1,
        bidfloor: 0.25,
        bidfloorcur: "USD",
        exp: 3600,
        banner: {
          format: [
            { w: 320, h: 50 },
            { w: 300, h: 50 },
          ],
          w: 320,
          h: 50,
          pos: 4,
          btype: [4],
          battr: [1, 3, 8, 9, 13],
          api: [3, 5, 6, 7],
          mimes: ["text/html", "image/gif", "image/jpeg", "image/png"],
        },
      },
    ],
    app: {
      id: appUuid,
      name: "Bench",
      bundle: "com.example.bench",
      domain: "bench.example.com",
      storeurl: "https://play.example.com/store/apps/details?id=com.example.bench",
      cat: ["IAB9", "IAB9-30"],
      ver: "4.2.1",
      privacypolicy: 1,
      paid: 0,
      publisher: { id: "pub-1", name: "Bench Games", domain: "example.com" },
    },
    device: {
      ua: "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36",
      ip: "203.0.113.0",
      geo: { type: 2, country: "USA", region: "CA", city: "San Francisco", zip: "94103", utcoffset: -480 },
      dnt: 0,
      lmt: 0,
      ifa: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
      devicetype: 4,
      make: "Google",
      model: "Pixel 8",
      os: "android",
      osv: "14",
      h: 2400,
      w: 1080,
      ppi: 428,
      pxratio: 2.625,
      js: 1,
      language: "en",
      carrier: "Example Mobile",
      connectiontype: 2,
    },
    user: { id: "user-1", ext: { consent: "" } },
    regs: { coppa: 0, gdpr: 0, us_privacy: "1YNN" },
    source: { fd: 0, tid: "a7a5f6ce-5d1b-4a52-9a73-2f0f0d3f3f6f" },
    bcat: ["IAB25", "IAB26", "IAB7-39"],
    badv: ["blocked.example.com"],
  });
}
