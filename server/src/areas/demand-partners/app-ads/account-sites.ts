import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { GuardedClient } from "../../../platform/outbound/guarded-get.ts";
import { findSeller } from "./app-ads-store.ts";
import { checkAppAds, isComplete } from "./check-app-ads.ts";
import { type AccountLinesDeps, linesOfAccount } from "./lines-of-account.ts";
import type { SiteClient } from "./read-app-ads.ts";
import { type SiteState, type SiteStates, siteStates } from "./site-states.ts";

type SiteDeps = AccountLinesDeps & { clock: Clock; log: Pick<Log, "warn"> };

/** Which accounts' developer sites have their app-ads.txt, read with this client. */
export const accountSites = (deps: SiteDeps, client: SiteClient): SiteStates =>
  siteStates({
    ...deps,
    domainOf: async (accountId) => (await findSeller(deps.pool, accountId)).domain,
    async hasAllLines(accountId) {
      const { lines, reply } = await linesOfAccount(deps, accountId);
      const { domain } = reply;
      return domain !== null && isComplete(await checkAppAds(client, { domain, lines, revenueOf: new Map() }));
    },
  });

/** The same for a process without a dashboard, which tells the SDK's debugger of it. */
export function siteReader(deps: SiteDeps): {
  siteState(accountId: number): Promise<SiteState>;
  stop(): Promise<void>;
} {
  const client = new GuardedClient();
  const sites = accountSites(deps, client);
  return {
    siteState: (accountId) => sites.of(accountId),
    async stop() {
      await sites.settle();
      client.close();
    },
  };
}
