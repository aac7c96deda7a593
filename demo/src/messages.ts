import type { PastCampaign, PastInhouse } from "./history/row-sql.ts";
import type { PostbackTargets } from "./traffic/convert.ts";
import type { ClientCounts } from "./traffic/sdk-client.ts";
import type { LabCounts } from "./lab/start-lab.ts";

/** The messages between the platform and the demo's process. Maps are sent as pairs. */

/** The first message: starts the lab. `port` is the previous one after a restart, so that bidders keep their addresses. */
export interface OpenLab {
  kind: "open-lab";
  seed: string;
  port: number;
}

/** The second message: starts the traffic and the writing of history. */
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
  campaigns: PastCampaign[];
  inhouse: PastInhouse[];
  postbacks: PostbackTargets;
}

export type ToDemo = OpenLab | Begin | { kind: "stop" };

export type FromDemo =
  | { kind: "lab"; url: string; port: number }
  | { kind: "history"; progress: number }
  | { kind: "log"; level: "info" | "warn"; message: string; facts: Record<string, unknown> }
  | { kind: "counts"; traffic: ClientCounts & { sessions: number }; lab: LabCounts };
