import {
  type AppSettings,
  appSettings,
  editZone,
  setBlocks,
  setFlags,
  setFloors,
  setTestDevices,
  switchPartner,
} from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { Problem } from "../../../platform/http/problem.ts";
import { serve } from "../../../platform/http/serve.ts";
import { type By, recordAct } from "../../audit/index.ts";
import { appIdentity } from "../app-identity.ts";
import type { AppsDeps } from "../deps.ts";
import { type App, ownApp } from "../store.ts";
import { flagFaults } from "./flag-faults.ts";
import * as store from "./settings-store.ts";

interface Change {
  action: string;
  details: Record<string, unknown>;
  make(app: App): Promise<boolean | void>;
}

/** An app's settings: read whole, changed part by part. Each change reaches the exchange within seconds and is on record. */
export function settingsRoutes(app: FastifyInstance, deps: AppsDeps): void {
  const { pool } = deps;

  async function change(by: By, uuid: string, { action, details, make }: Change): Promise<AppSettings> {
    const owned = await ownApp(pool, by.caller.accountId, uuid);
    // An app that is the account's, and a part of it that is not there.
    if ((await make(owned)) === false) throw new Problem("not_found", "There is nothing to change here");
    await recordAct(deps, by, { action, subject: owned.uuid, details });
    return settingsOf(deps, owned);
  }

  serve(app, appSettings, async ({ params, caller }) =>
    settingsOf(deps, await ownApp(pool, caller.accountId, params.id)),
  );
  serve(app, setFloors, ({ params, body, caller, request }) =>
    change({ caller, request }, params.id, {
      action: "app_floors_set",
      details: body,
      make: ({ id }) => store.replaceFloors(pool, id, body.floors),
    }),
  );
  serve(app, setBlocks, ({ params, body, caller, request }) =>
    change({ caller, request }, params.id, {
      action: "app_blocks_set",
      details: body,
      make: ({ id }) => store.setBlocks(pool, id, body),
    }),
  );
  serve(app, setTestDevices, ({ params, body, caller, request }) =>
    change({ caller, request }, params.id, {
      action: "app_test_devices_set",
      // The ids themselves are people's.
      details: { devices: body.devices.length },
      make: ({ id }) => store.setTestDevices(pool, id, body.devices),
    }),
  );
  serve(app, setFlags, ({ params, body, caller, request }) =>
    change({ caller, request }, params.id, {
      action: "app_flags_set",
      details: body,
      make: ({ id, platform }) => {
        const faults = flagFaults(platform, body);
        if (Object.keys(faults).length > 0) throw new Problem("invalid", faults);
        return store.setFlags(pool, id, body);
      },
    }),
  );
  serve(app, switchPartner, ({ params, body, caller, request }) =>
    change({ caller, request }, params.id, {
      action: "app_partner_switched",
      details: { partner: params.partner, enabled: body.enabled },
      make: ({ id }) => deps.switchPartner(caller.accountId, id, params.partner, body.enabled),
    }),
  );
  serve(app, editZone, ({ params, body, caller, request }) =>
    change({ caller, request }, params.id, {
      action: "app_zone_edited",
      details: { zone: params.zone, ...body },
      make: ({ id }) =>
        store.updateZone(pool, id, { zone: params.zone, name: body.name, refreshSeconds: body.refresh_seconds }),
    }),
  );
}

async function settingsOf(deps: AppsDeps, app: App): Promise<AppSettings> {
  const [settings, partners] = await Promise.all([
    store.findSettings(deps.pool, app.id),
    deps.partnersOf(app.accountId, app.id),
  ]);
  return { app: appIdentity(deps, app), ...settings, partners };
}
