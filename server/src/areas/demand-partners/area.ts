import { deleteDspKeys, dspKeys, putDspKeys } from "@millrace/contract";
import type { Area } from "../../platform/area.ts";
import { serve } from "../../platform/http/serve.ts";
import { type DspKeysDeps, dspKeysOf, removeDspKeys, saveDspKeys } from "./dsp-keys.ts";

/** Demand partners: who buys, and the publishers' keys at them. */
export const demandPartnersArea = (deps: DspKeysDeps): Area => ({
  name: "demand-partners",
  routes: (app) => {
    serve(app, dspKeys, ({ params, caller }) => dspKeysOf(deps, caller.accountId, params.id));
    serve(app, putDspKeys, ({ params, body, caller }) => saveDspKeys(deps, caller.accountId, params, body));
    serve(app, deleteDspKeys, ({ params, caller }) => removeDspKeys(deps, caller.accountId, params));
  },
});
