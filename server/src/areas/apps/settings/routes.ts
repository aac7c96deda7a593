import {
  type AppSettings,
  SETTING_PARTS,
  type SettingPart,
  appSettings,
  deleteZone,
  editZone,
  setBlocks,
  setFlags,
  setFloors,
  setLearning,
  setRewards,
  setTestDevices,
  switchPartner,
  type Zone,
} from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import type { PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { refuseStale, revisionOf } from "../../../platform/http/revision.ts";
import { serve } from "../../../platform/http/serve.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, fieldChange, listChange, recordAct } from "../../audit/index.ts";
import { appIdentity } from "../app-identity.ts";
import type { AppsDeps } from "../deps.ts";
import { lockAccount } from "../editing-store.ts";
import { type App, ownApp } from "../store.ts";
import { refuseAboveLimit } from "./account-limits.ts";
import { flagFaults } from "./flag-faults.ts";
import * as store from "./settings-store.ts";

interface Change {
  action: string;
  /** The part that is replaced, if it is still at the revision. Problem `conflict`. */
  replaced?: { part: SettingPart; revision?: string | undefined };
  /** Applies the change and returns the differences for the audit log; null if there are none. */
  make(client: PoolClient, app: App): Promise<object | null>;
}

/**
 * An app's settings, read as a whole and changed in parts. Each change reaches the exchange within seconds and is
 * logged in its own transaction, as a difference.
 */
export function settingsRoutes(app: FastifyInstance, deps: AppsDeps): void {
  const { pool, clock } = deps;

  async function change(by: By, uuid: string, { action, replaced, make }: Change): Promise<AppSettings> {
    const owned = await inTransaction(pool, async (client) => {
      // One writer at a time: two that replace everything would otherwise leave a mixture, or pass the account's
      // limits.
      await lockAccount(client, by.caller.accountId);
      const found = await ownApp(client, by.caller, uuid);
      if (replaced) {
        const before = await store.findSettings(client, found.id);
        refuseStale(replaced.revision, before[replaced.part]);
      }
      const details = await make(client, found);
      if (details !== null) {
        await recordAct({ pool: client, clock }, by, { action, subject: found.uuid, details: { ...details } });
      }
      return found;
    });
    return settingsOf(deps, owned);
  }

  serve(app, appSettings, async ({ params, caller }) => settingsOf(deps, await ownApp(pool, caller, params.id)));
  serve(app, setFloors, ({ params, query, body, caller, request }) =>
    change({ caller, request }, params.id, {
      action: "app_floors_set",
      replaced: { part: "floors", ...query },
      async make(client, { id, accountId }) {
        const { floors } = await store.findSettings(client, id);
        await store.replaceFloors(client, id, body.floors);
        await refuseAboveLimit(client, accountId, {
          what: "floors",
          grew: body.floors.length > floors.length,
        });
        return listChange(floors, body.floors);
      },
    }),
  );
  serve(app, setBlocks, ({ params, query, body, caller, request }) =>
    change({ caller, request }, params.id, {
      action: "app_blocks_set",
      replaced: { part: "blocks", ...query },
      async make(client, { id, accountId }) {
        const { blocks } = await store.findSettings(client, id);
        await store.setBlocks(client, id, body);
        const categories = listChange(blocks.categories, body.categories);
        const domains = listChange(blocks.domains, body.domains);
        const grew = countOf(body) > countOf(blocks);
        await refuseAboveLimit(client, accountId, { what: "blocks", grew });
        return categories || domains ? { ...(categories && { categories }), ...(domains && { domains }) } : null;
      },
    }),
  );
  serve(app, setTestDevices, ({ params, query, body, caller, request }) =>
    change({ caller, request }, params.id, {
      action: "app_test_devices_set",
      replaced: { part: "test_devices", ...query },
      async make(client, { id, accountId }) {
        const { test_devices: before } = await store.findSettings(client, id);
        await store.setTestDevices(client, id, body.devices);
        const grew = body.devices.length > before.length;
        await refuseAboveLimit(client, accountId, { what: "testDevices", grew });
        const changed = listChange(before, body.devices);
        // The ids are personal data.
        return changed && { added_count: changed["added_count"], removed_count: changed["removed_count"] };
      },
    }),
  );
  serve(app, setFlags, ({ params, query, body, caller, request }) =>
    change({ caller, request }, params.id, {
      action: "app_flags_set",
      replaced: { part: "flags", ...query },
      async make(client, { id, platform }) {
        const faults = flagFaults(platform, body);
        if (Object.keys(faults).length > 0) throw new Problem("invalid", faults);
        const { flags } = await store.findSettings(client, id);
        await store.setFlags(client, id, body);
        return fieldChange(flags, body);
      },
    }),
  );
  serve(app, setLearning, ({ params, query, body, caller, request }) =>
    change({ caller, request }, params.id, {
      action: "app_learning_set",
      replaced: { part: "learning", ...query },
      async make(client, { id }) {
        const { learning } = await store.findSettings(client, id);
        await store.setLearning(client, id, body);
        return fieldChange(learning, body);
      },
    }),
  );
  serve(app, setRewards, ({ params, query, body, caller, request }) =>
    change({ caller, request }, params.id, {
      action: "app_rewards_set",
      replaced: { part: "rewards", ...query },
      async make(client, { id }) {
        const { rewards } = await store.findSettings(client, id);
        await store.setRewards(client, id, body);
        const changed = fieldChange(rewards, body);
        // The address may hold a secret of the publisher's.
        return changed && ("callback_url" in changed ? { ...changed, callback_url: "changed" } : changed);
      },
    }),
  );
  serve(app, switchPartner, ({ params, body, caller, request }) =>
    change({ caller, request }, params.id, {
      action: "app_partner_switched",
      async make(client, { id }) {
        const switched = await deps.switchPartner(client, caller.accountId, {
          appId: id,
          partnerId: params.partner,
          enabled: body.enabled,
        });
        // The app belongs to the account, but has no such zone or partner.
        if (!switched) throw nothingThere();
        return { partner: params.partner, enabled: body.enabled };
      },
    }),
  );
  serve(app, editZone, ({ params, query, body, caller, request }) =>
    change({ caller, request }, params.id, {
      action: "app_zone_edited",
      async make(client, { id }) {
        const { zones } = await store.findSettings(client, id);
        const before = zones.find(({ zone }) => zone === params.zone);
        if (!before) throw nothingThere();
        const { name, refresh_seconds: refreshSeconds, reward = before.reward } = body;
        const changed = fieldChange(zoneFields(before), zoneFields({ ...body, reward }));
        refuseStale(query.revision, zoneFields(before), changed === null);
        if (reward !== null && before.format !== "rewarded") {
          throw new Problem("invalid", { reward: "Only a zone of rewarded ads has a reward" });
        }
        await store.updateZone(client, id, { zone: params.zone, name, refreshSeconds, reward });
        return changed && { zone: params.zone, ...changed };
      },
    }),
  );
  serve(app, deleteZone, ({ params, caller, request }) =>
    change({ caller, request }, params.id, {
      action: "app_zone_deleted",
      async make(client, { id, accountId }) {
        if (!(await store.deleteZone(client, accountId, { appId: id, zone: params.zone }))) throw nothingThere();
        return { zone: params.zone };
      },
    }),
  );
}

const nothingThere = () => new Problem("not_found", "This setting does not exist");
const countOf = ({ categories, domains }: AppSettings["blocks"]) => categories.length + domains.length;

async function settingsOf(deps: AppsDeps, app: App): Promise<AppSettings> {
  const [settings, partners] = await Promise.all([
    store.findSettings(deps.pool, app.id),
    deps.partnersOf(app.accountId, app.id),
  ]);
  const revisions = Object.fromEntries(SETTING_PARTS.map((part) => [part, revisionOf(settings[part])]));
  return {
    app: appIdentity(deps, app),
    ...settings,
    zones: settings.zones.map((zone) => ({ ...zone, revision: revisionOf(zoneFields(zone)) })),
    partners,
    revisions: revisions as AppSettings["revisions"],
  };
}

/** What is edited of a zone, as the audit log has it. */
const zoneFields = ({ name, refresh_seconds, reward }: Pick<Zone, "name" | "refresh_seconds" | "reward">) => ({
  name,
  refresh_seconds,
  reward_name: reward?.name ?? null,
  reward_amount: reward?.amount ?? null,
});
