import type { ClickHouseClient } from "@clickhouse/client";
import type { Platform } from "@millrace/contract";
import { CATALOGUE } from "./catalogue.ts";
import { clearRowsOf } from "./clear-demo.ts";
import type { DemoApp, DemoZone } from "./demo-app.ts";
import { fillHistory } from "./history/fill-history.ts";
import { DEMO_BIDDERS } from "./lab/partners.ts";

const SAMPLE_DAYS = 7;

/** The figures of a sample app are those of the catalogue's app for its platform. */
const MODELS: Partial<Record<Platform, string>> = { android: "lantern-runner-android", ios: "pocket-ledger-ios" };

function modelOf(platform: Platform): DemoApp {
  const found = CATALOGUE.find(({ slug }) => slug === MODELS[platform]);
  if (!found) throw new Error(`there is no sample app for ${platform}`);
  return found;
}

/** Made-up figures of the sample apps that anybody can add, with or without the rest of the demo. */
export const sampleFigures = (revenueSharePpm: number) => ({
  providerNames: new Map(DEMO_BIDDERS.map(({ id, name }) => [id, name])),
  zones: (platform: Platform): readonly DemoZone[] => modelOf(platform).zones,
  /** Writes the seven days up to a moment, marked as demo data. The same call twice counts once. */
  fill: (write: ClickHouseClient, app: { id: number; platform: Platform }, untilMs: number): Promise<void> =>
    fillHistory({
      write,
      seed: `sample-${app.id}`,
      untilMs,
      days: SAMPLE_DAYS,
      appIds: new Map([[modelOf(app.platform).slug, app.id]]),
      revenueSharePpm,
      campaigns: [],
      inhouse: [],
    }),
  /** Deletes all rows of an app. */
  clear: (write: ClickHouseClient, appId: number): Promise<void> => clearRowsOf(write, [appId]),
});
