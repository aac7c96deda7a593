import { deleteDspKeys, dspKeys, putDspKeys } from "@millrace/contract";
import type { Area } from "../../platform/area.ts";
import { serve } from "../../platform/http/serve.ts";
import { GuardedClient } from "../../platform/outbound/guarded-get.ts";
import { type AppAdsDeps, appAdsRoutes } from "./app-ads/routes.ts";
import { dspKeysOf, removeDspKeys, saveDspKeys } from "./dsp-keys.ts";

export { listPartners, sealPlainKeys, setPartnerKeys, switchPartnerKeys, upsertPartner } from "./store.ts";
export type { PartnerKeysRow, PartnerRow } from "./store.ts";
export { type KeyReader, keyReader } from "./key-reader.ts";
export { appPartners } from "./app-partners.ts";

/** Demand partners and the publishers' keys at them. */
export function demandPartnersArea(deps: Omit<AppAdsDeps, "client">): Area {
  const client = new GuardedClient();
  return {
    name: "demand-partners",
    routes: (app) => {
      appAdsRoutes(app, { ...deps, client });
      serve(app, dspKeys, ({ params, caller }) => dspKeysOf(deps, caller.accountId, params.id));
      serve(app, putDspKeys, ({ params, body, caller, request }) =>
        saveDspKeys(deps, { caller, request }, params, body),
      );
      serve(app, deleteDspKeys, ({ params, caller, request }) => removeDspKeys(deps, { caller, request }, params));
    },
    stop: async () => client.close(),
  };
}
