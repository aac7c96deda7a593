import type { FirstSteps } from "@millrace/contract";
import { Problem } from "../../../platform/http/problem.ts";
import type { AppReach } from "../../../platform/http/caller.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import type { AppsDeps } from "../deps.ts";
import { type App, ownApp } from "../store.ts";
import { stepsOf } from "./steps-of.ts";

/** An app's steps to its first ad, as they are now. */
export async function firstStepsOf(deps: AppsDeps, reach: AppReach, uuid: string): Promise<FirstSteps> {
  const app = await ownApp(deps.pool, reach, uuid);
  const [partners, counted, site] = await Promise.all([
    deps.partnersOf(app.accountId, app.id),
    deps.statistics.firstCounts(app.id),
    deps.siteState(app.accountId),
  ]);
  return {
    steps: stepsOf({ moderation: app.moderation, partners, counted, site }),
    moderation: app.moderation,
    is_sample: app.isSample,
    partners_available: partners.filter(({ active }) => active).length,
    has_demo_partners: deps.demo && !app.isSample,
    not_counted: counted.notCounted,
    has_site: site !== "no_site",
  };
}

/** Connects an app to the demo's partners. Problem `unprocessable` if there are none. */
export async function connectToDemo(deps: AppsDeps, by: By, uuid: string): Promise<FirstSteps> {
  const app = await ownApp(deps.pool, by.caller, uuid);
  const connected = deps.demo && (await connect(deps, by, app));
  if (!connected) throw new Problem("unprocessable", "This platform has no demo partners");
  return firstStepsOf(deps, by.caller, uuid);
}

function connect({ pool, clock, connectDemoPartners }: AppsDeps, by: By, app: App): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const partners = await connectDemoPartners(client, app.accountId, app.id);
    if (partners.length === 0) return false;
    await recordAct({ pool: client, clock }, by, {
      action: "demo_partners_connected",
      subject: app.uuid,
      details: { partners },
    });
    return true;
  });
}
