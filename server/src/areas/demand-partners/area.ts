import { deleteDspKeys, dspKeys, putDspKeys } from "@millrace/contract";
import type { Area } from "../../platform/area.ts";
import { serve } from "../../platform/http/serve.ts";
import { type AppAdsDeps, appAdsRoutes } from "./app-ads/routes.ts";
import { dspKeysOf, removeDspKeys, saveDspKeys } from "./dsp-keys.ts";

/** Demand partners: who buys, and the publishers' keys at them. */
export const demandPartnersArea = (deps: AppAdsDeps): Area => ({
  name: "demand-partners",
  routes: (app) => {
    appAdsRoutes(app, deps);
    serve(app, dspKeys, ({ params, caller }) => dspKeysOf(deps, caller.accountId, params.id));
    serve(app, putDspKeys, ({ params, body, caller }) => saveDspKeys(deps, caller.accountId, params, body));
    serve(app, deleteDspKeys, ({ params, caller }) => removeDspKeys(deps, caller.accountId, params));
  },
});
