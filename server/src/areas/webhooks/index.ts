import {
  removeRevenueWebhook,
  type RevenueWebhook,
  revenueWebhook,
  setRevenueWebhook,
  testRevenueWebhook,
} from "@millrace/contract";
import type { Pool } from "pg";
import type { Area } from "../../platform/area.ts";
import type { Clock } from "../../platform/clock.ts";
import type { AppReach } from "../../platform/http/caller.ts";
import { Problem } from "../../platform/http/problem.ts";
import { refuseStale, revisionOf } from "../../platform/http/revision.ts";
import { serve } from "../../platform/http/serve.ts";
import type { Log } from "../../platform/log.ts";
import { isPrivateEndpoint } from "../../platform/outbound/private-endpoint.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { recordAct } from "../audit/index.ts";
import { isDelivered, readOutcome, rewardKeysOf } from "../rewards/index.ts";
import { placeAt, type Statistics } from "../statistics/index.ts";
import { testDelivery } from "./delivery.ts";
import { WebhookSender } from "./webhook-sender.ts";
import { deleteWebhook, findWebhook, lockAddress, saveWebhook } from "./webhook-store.ts";

/** The clocks of the platform and of the store may differ, and nothing that is counted from now on may be missing. */
const BEGINS_BEFORE_MS = 60_000;
const END_OF_TIME = placeAt(Date.UTC(2200, 0));

interface WebhooksDeps {
  pool: Pool;
  clock: Clock;
  log: Log;
  /** Addresses may be in a private network, and need no TLS. */
  demo: boolean;
  /** Newest first: the first one's key signs. */
  secrets: readonly string[];
  statistics: Pick<Statistics, "stored" | "turns">;
  /** How often due webhooks are looked for; tests do not wait as long. */
  lookMs?: number;
  /** An app within reach. */
  findApp(reach: AppReach, uuid: string): Promise<{ app_id: number } | undefined>;
}

const NONE: RevenueWebhook = {
  url: null,
  revision: revisionOf(null),
  delivered: 0,
  given_up: 0,
  waiting: 0,
  waiting_since: null,
  last_delivered_at: null,
  last_failure: null,
};

/** Copies of impressions and their revenue for publishers' servers. */
export function webhooksArea(deps: WebhooksDeps): Area {
  const { pool, clock, log, demo, statistics } = deps;
  const [key] = rewardKeysOf(deps.secrets);
  const { lookMs } = deps;
  const sender = new WebhookSender({ pool, clock, log, demo, key, stored: statistics.stored, lookMs });

  async function ownApp(reach: AppReach, uuid: string): Promise<number> {
    const app = await deps.findApp(reach, uuid);
    if (!app) throw new Problem("not_found", "There is no such app");
    return app.app_id;
  }

  async function stateOf(appId: number): Promise<RevenueWebhook> {
    const found = await findWebhook(pool, appId);
    if (!found) return NONE;
    const waiting = await statistics.stored.count({ appId, after: found.place, until: END_OF_TIME });
    const { lastFailedAt, lastFailure } = found;
    return {
      url: found.url,
      revision: revisionOf(found.url),
      delivered: found.delivered,
      given_up: found.givenUp,
      waiting: waiting.impressions,
      waiting_since: waiting.oldestMs === null ? null : new Date(waiting.oldestMs).toISOString(),
      last_delivered_at: found.lastDeliveredAt?.toISOString() ?? null,
      last_failure:
        lastFailedAt && lastFailure !== null
          ? { at: lastFailedAt.toISOString(), outcome: readOutcome(lastFailure) }
          : null,
    };
  }

  return {
    name: "webhooks",
    routes(app) {
      serve(app, revenueWebhook, async ({ params, caller }) => {
        const appId = await ownApp(caller, params.id);
        return statistics.turns.run(caller.accountId, () => stateOf(appId));
      });
      serve(app, setRevenueWebhook, async ({ params, query, body: { url }, caller, request }) => {
        const appId = await ownApp(caller, params.id);
        if (!demo) await refuseClosed(url);
        const now = clock.now();
        await inTransaction(pool, async (client) => {
          refuseStale(query.revision, await lockAddress(client, appId));
          const place = placeAt(now - BEGINS_BEFORE_MS);
          if (!(await saveWebhook(client, appId, { url, place, now: new Date(now) }))) return;
          // Without the address, which may hold a secret of the publisher's.
          const act = { action: "app_webhook_set", subject: params.id };
          await recordAct({ pool: client, clock }, { caller, request }, act);
        });
        sender.ring();
        return statistics.turns.run(caller.accountId, () => stateOf(appId));
      });
      serve(app, removeRevenueWebhook, async ({ params, query, caller, request }) => {
        const appId = await ownApp(caller, params.id);
        await inTransaction(pool, async (client) => {
          refuseStale(query.revision, await lockAddress(client, appId));
          if (!(await deleteWebhook(client, appId))) return;
          const act = { action: "app_webhook_removed", subject: params.id };
          await recordAct({ pool: client, clock }, { caller, request }, act);
        });
        return NONE;
      });
      serve(app, testRevenueWebhook, async ({ params, caller }) => {
        const found = await findWebhook(pool, await ownApp(caller, params.id));
        if (!found) throw new Problem("conflict", "Save the address of your server first");
        const outcome = await sender.test(found.url, testDelivery(params.id, clock.now()));
        return { delivered: isDelivered(outcome), outcome };
      });
    },
    async start() {
      sender.start();
    },
    stop: () => sender.stop(),
  };
}

/** Names are looked up again at each connection; this tells of the mistake while it is being made. */
async function refuseClosed(url: string): Promise<void> {
  if (new URL(url).protocol !== "https:")
    throw new Problem("invalid", { url: "Use an address that begins with https://" });
  if (await isPrivateEndpoint(url)) throw new Problem("invalid", { url: "This address is in a private network" });
}
