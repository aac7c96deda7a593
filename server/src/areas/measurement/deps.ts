import type { Pool } from "pg";
import type { Clock } from "../../platform/clock.ts";
import type { Jobs } from "../../platform/jobs/index.ts";
import type { Log } from "../../platform/log.ts";
import type { Sealer } from "../../platform/sealed/sealer.ts";
import type { EventSink, Statistics } from "../statistics/index.ts";
import type { ClickIds } from "./click-id.ts";

export interface MeasurementDeps {
  pool: Pool;
  clock: Clock;
  log: Log;
  jobs: Jobs;
  sealer: Sealer;
  events: Pick<EventSink, "append">;
  clickIds: ClickIds;
  publicUrl: string;
  statistics: Pick<Statistics["campaigns"], "evenSums">;
  /** The ids under which Apple knows the platform's ad network, in lower case; none if it is not registered. */
  adNetworkIds: readonly string[];
}
