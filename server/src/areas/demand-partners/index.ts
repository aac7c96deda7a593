import { deleteDspKeys, dspKeys, putDspKeys } from "@millrace/contract";
import type { Area } from "../../platform/area.ts";
import { serve } from "../../platform/http/serve.ts";
import { GuardedClient } from "../../platform/outbound/guarded-get.ts";
import type { Log } from "../../platform/log.ts";
import { findSeller } from "./app-ads/app-ads-store.ts";
import { checkAppAds, isComplete } from "./app-ads/check-app-ads.ts";
import { linesOfAccount } from "./app-ads/lines-of-account.ts";
import { type AppAdsDeps, appAdsRoutes } from "./app-ads/routes.ts";
import { type SiteState, siteStates } from "./app-ads/site-states.ts";
import { dspKeysOf, removeDspKeys, saveDspKeys } from "./dsp-keys.ts";

export { listPartners, sealPlainKeys, setPartnerKeys, switchPartnerKeys, upsertPartner } from "./store.ts";
export type { PartnerKeysRow, PartnerRow } from "./store.ts";
export { type KeyReader, keyReader } from "./key-reader.ts";
export { appPartners } from "./app-partners.ts";
export type { SiteState } from "./app-ads/site-states.ts";
export { connectDemoPartners } from "./connect-demo-partners.ts";

export interface DemandPartners {
  /** What is known of the account's app-ads.txt on its developer site; never waits for the site. */
  siteState(accountId: number): Promise<SiteState>;
}

/** Demand partners and the publishers' keys at them. */
export function demandPartnersArea(
  deps: Omit<AppAdsDeps, "client" | "sites"> & { log: Pick<Log, "warn"> },
): Area & DemandPartners {
  const client = new GuardedClient();
  const sites = siteStates({
    ...deps,
    domainOf: async (accountId) => (await findSeller(deps.pool, accountId)).domain,
    async hasAllLines(accountId) {
      const { lines, reply } = await linesOfAccount(deps, accountId);
      const { domain } = reply;
      return domain !== null && isComplete(await checkAppAds(client, { domain, lines, revenueOf: new Map() }));
    },
  });
  return {
    name: "demand-partners",
    siteState: (accountId) => sites.of(accountId),
    routes: (app) => {
      appAdsRoutes(app, { ...deps, client, sites });
      serve(app, dspKeys, ({ params, caller }) => dspKeysOf(deps, caller, params.id));
      serve(app, putDspKeys, ({ params, body, caller, request }) =>
        saveDspKeys(deps, { caller, request }, params, body),
      );
      serve(app, deleteDspKeys, ({ params, caller, request }) => removeDspKeys(deps, { caller, request }, params));
    },
    stop: async () => {
      await sites.settle();
      client.close();
    },
  };
}
