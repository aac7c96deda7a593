import {
  addKillSwitch,
  adminPartner,
  adminPartners,
  currencyRates,
  endKillSwitch,
  killSwitches,
  noteCurrencyRate,
  deleteDspKeys,
  dspKeys,
  putDspKeys,
  savePartner,
  testPartner,
} from "@millrace/contract";
import type { Area } from "../../platform/area.ts";
import { BidClient } from "../../platform/bid-client/index.ts";
import { serve } from "../../platform/http/serve.ts";
import { GuardedClient } from "../../platform/outbound/guarded-get.ts";
import type { Log } from "../../platform/log.ts";
import { accountSites } from "./app-ads/account-sites.ts";
import { type AppAdsDeps, appAdsRoutes } from "./app-ads/routes.ts";
import type { SiteState } from "./app-ads/site-states.ts";
import * as switches from "./operator/kill-switches.ts";
import { noteRate, type RatesDeps, readRates } from "./operator/note-rate.ts";
import { listAllPartners, type PartnersDeps, readPartner } from "./operator/read-partners.ts";
import * as saving from "./operator/save-partner.ts";
import * as testing from "./operator/test-partner.ts";
import { RatesFeed } from "./rates-feed.ts";
import { dspKeysOf, removeDspKeys, saveDspKeys } from "./dsp-keys.ts";

export {
  listPartners,
  PARTNER_KEYS,
  sealPlainKeys,
  setPartnerKeys,
  switchPartnerKeys,
  upsertPartner,
} from "./store.ts";
export { PARTNER_CREDENTIALS } from "./credentials.ts";
export type { PartnerKeysRow, PartnerRow } from "./store.ts";
export { type KeyReader, keyReader } from "./key-reader.ts";
export {
  currenciesOf,
  originOf,
  partnerSettings,
  platformsOf,
  worldRegionsOf,
  worldRegionsWithAddress,
} from "./partner-settings.ts";
export { type CurrencyRate, currentToUsd, listRates, noteRates } from "./currency-rates.ts";
export { type ActiveSwitch, listActiveSwitches } from "./operator/kill-switches.ts";
export { appPartners } from "./app-partners.ts";
export { siteReader } from "./app-ads/account-sites.ts";
export { platformHost } from "./app-ads/lines-of-account.ts";
export type { SiteState } from "./app-ads/site-states.ts";
export { connectDemoPartners } from "./connect-demo-partners.ts";

export interface DemandPartners {
  /** What is known of the account's app-ads.txt on its developer site; never waits for the site. */
  siteState(accountId: number): Promise<SiteState>;
}

/** Demand partners and the publishers' keys at them. */
export function demandPartnersArea(
  deps: Omit<AppAdsDeps, "client" | "sites"> & PartnersDeps & RatesDeps & { log: Pick<Log, "warn" | "info"> },
): Area & DemandPartners {
  const client = new GuardedClient();
  const bidClient = new BidClient();
  const feed = deps.currencyRates === undefined ? null : new RatesFeed({ ...deps, client, source: deps.currencyRates });
  const sites = accountSites(deps, client);
  return {
    name: "demand-partners",
    siteState: (accountId) => sites.of(accountId),
    routes: (app) => {
      appAdsRoutes(app, { ...deps, client, sites });
      serve(app, dspKeys, ({ params, caller }) => dspKeysOf(deps, caller, params.id));
      serve(app, putDspKeys, ({ params, query, body, caller, request }) =>
        saveDspKeys(deps, { caller, request }, { ...params, ...query }, body),
      );
      serve(app, currencyRates, () => readRates(deps));
      serve(app, noteCurrencyRate, ({ body, ...by }) => noteRate(deps, by, body));
      serve(app, killSwitches, () => switches.listKillSwitches(deps));
      serve(app, addKillSwitch, ({ body, ...by }) => switches.addKillSwitch(deps, by, body));
      serve(app, endKillSwitch, ({ params, ...by }) => switches.endKillSwitch(deps, by, params.id));
      serve(app, adminPartners, () => listAllPartners(deps));
      serve(app, adminPartner, ({ params, query }) => readPartner(deps, params.partner, query.kind));
      serve(app, savePartner, ({ params, query, body, ...by }) =>
        saving.savePartner(deps, by, { id: params.partner, ...query, settings: body }),
      );
      serve(app, testPartner, ({ params, body }) =>
        testing.testPartner({ ...deps, client: bidClient }, params.partner, body),
      );
      serve(app, deleteDspKeys, ({ params, caller, request }) => removeDspKeys(deps, { caller, request }, params));
    },
    start: async () => feed?.start(),
    stop: async () => {
      await feed?.stop();
      await sites.settle();
      client.close();
      bidClient.close();
    },
  };
}
