import type { ClientCounts } from "./traffic/sdk-client.ts";
import type { LabCounts } from "./lab/start-lab.ts";

/** What the platform and the demo's own process tell each other. Maps travel as pairs. */

/** First: the lab starts. `port` is the one it had before, so that bidders keep their addresses when it starts again. */
export interface OpenLab {
  kind: "open-lab";
  seed: string;
  port: number;
}

/** Then: people come, and history is written behind them. */
export interface Begin {
  kind: "begin";
  seed: string;
  exchangeUrl: string;
  deviceKey: string;
  clickhouseUrl: string;
  sinceMs: number;
  historyDays: number;
  revenueSharePpm: number;
  pace: number;
  appIds: [slug: string, id: number][];
  appKeys: [slug: string, key: string][];
}

export type ToDemo = OpenLab | Begin | { kind: "stop" };

export type FromDemo =
  | { kind: "lab"; url: string; port: number }
  | { kind: "history"; progress: number }
  | { kind: "log"; level: "info" | "warn"; message: string; facts: Record<string, unknown> }
  | { kind: "counts"; traffic: ClientCounts & { sessions: number }; lab: LabCounts };
