import { DAY_MS } from "@millrace/units";
import { z } from "zod";
import type { Area } from "../../platform/area.ts";
import { forgetConversions } from "./conversion-store.ts";
import type { MeasurementDeps } from "./deps.ts";
import { forgetPostbacks, PostbackLog } from "./postback-log.ts";
import { measurementRoutes } from "./routes.ts";

export { type ClickFacts, clickIds, type ClickIds } from "./click-id.ts";
export { comparedAs } from "./experiments/compared-as.ts";
export { accountPostbackKey, POSTBACK_SECRET } from "./postback-keys.ts";
export { latestPostbacks, postbackCounts } from "./postback-log.ts";
export { signatureOf } from "./postback-signature.ts";
export { DEVICE_MACRO, expandLink, hasMacro, withInstallReferrer } from "./expand-link.ts";

const FORGET = "forget-postbacks";
/** Longer than any window. */
const CONVERSIONS_KEPT_MS = 40 * DAY_MS;

/** What happens after clicks and impressions of campaigns: conversions reported by postbacks. */
export function measurementArea(deps: MeasurementDeps): Area {
  const postbacks = new PostbackLog(deps);
  deps.jobs.define(FORGET, z.object({}), async () => {
    await forgetConversions(deps.pool, new Date(deps.clock.now() - CONVERSIONS_KEPT_MS));
    await forgetPostbacks(deps.pool, deps.clock.now());
  });
  deps.jobs.repeat(FORGET, {}, DAY_MS / 1000);
  return {
    name: "measurement",
    routes: (app) => measurementRoutes(app, { ...deps, postbacks }),
    stop: () => postbacks.flush(),
  };
}
