import { explainAuction, mayUse, partnerBreakers, vendorPrivacy } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import type { Pool } from "pg";
import type { FairQueue } from "../../../platform/fair-queue.ts";
import { reaches } from "../../../platform/http/caller.ts";
import { Problem } from "../../../platform/http/problem.ts";
import { serve } from "../../../platform/http/serve.ts";
import type { AppConfig } from "../config/snapshot.ts";
import type { ConfigSource } from "../http/configuration.ts";
import type { VendorList } from "../privacy/vendor-list.ts";
import { vendorPrivacy as vendorPrivacyOf } from "../privacy/vendor-privacy.ts";
import { pausedPartners } from "../processes/exchange-states.ts";
import { type ExplainDeps, findExplanation } from "./find-explanation.ts";

interface TraceDeps extends ExplainDeps {
  turns: Pick<FairQueue, "run">;
  pool: Pool;
  vendors: VendorList;
}

export function traceRoutes(app: FastifyInstance, config: ConfigSource, deps: TraceDeps): void {
  serve(app, explainAuction, async ({ params, caller, signal }) => {
    const reader = {
      reaches: (of: AppConfig) => reaches(caller, of),
      // An admin looks at a publisher's auctions on the publisher's behalf.
      showsAdvertisers: caller.impersonatorId !== null,
      showsKeys: mayUse("keys.manage", caller) && !caller.byToken,
    };
    const find = () => findExplanation(config, deps, params.id, reader);
    const explained = await deps.turns.run(caller.accountId, find, signal());
    if (!explained) throw new Problem("not_found", "There is no record of this auction");
    return explained;
  });
  serve(app, vendorPrivacy, async ({ query }) => vendorPrivacyOf(deps.vendors, query.gvl_id));
  serve(app, partnerBreakers, async () => ({ paused: await pausedPartners(deps.pool) }));
}
