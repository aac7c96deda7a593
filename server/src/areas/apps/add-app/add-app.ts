import { type Reply, SDK_STATUS_TEXTS, TEXTS, type addApp as call } from "@millrace/contract";
import type { Pool } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import { allAppsOf } from "../../../platform/http/caller.ts";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import { lockAccount } from "../editing-store.ts";
import { type App, listApps } from "../store.ts";
import { type AddAppBody, draftByHand, draftInDevelopment, flagsFor, wayOf } from "./add-rules.ts";
import type { AddThrottle } from "./add-throttle.ts";
import { LOOKUP_EXPIRED } from "./advertised-apps.ts";
import type { AppLookups } from "./app-lookups.ts";
import { keepApp } from "./keep-app.ts";
import type { SampleApps } from "./sample-apps.ts";
import { readStoreAddress, type StoreAddress } from "./store-address.ts";

export interface AddDeps {
  pool: Pool;
  clock: Clock;
  /** New apps are live at once instead of waiting for a moderator. */
  demo: boolean;
  lookups: AppLookups;
  throttle: AddThrottle;
  sampleApps: SampleApps;
}

type Answer = Reply<typeof call>;

/** Adds an app in the requested way, or advances one step of it. */
export async function addApp(deps: AddDeps, by: By, body: AddAppBody): Promise<Answer> {
  const way = wayOf(body);
  switch (way) {
    case "demo":
      return addSamples(deps, by);
    case "dev": {
      const draft = draftInDevelopment(body);
      return added(deps, await keep(deps, by, { key: body.key, ...draft }));
    }
    case "manual": {
      const address = addressOf(body);
      const draft = draftByHand(body, address);
      return added(deps, await keep(deps, by, { key: body.key, ...draft, url: address.url, storeId: address.id }));
    }
    case "look": {
      const address = addressOf(body);
      await deps.throttle.lookups.take(by.caller.accountId);
      return { qid: await deps.lookups.begin(by.caller.accountId, address), status: "waiting" };
    }
    case "poll": {
      const { qid, state, items } = await lookupOf(deps, by, body);
      return { qid, status: state, ...(state === "done" && { items }) };
    }
    case "item":
      return addFound(deps, by, body);
  }
}

/** Adds two sample apps to an account without apps, unless it has them already. Problem `conflict` if it has others. */
async function addSamples({ pool, clock, throttle, sampleApps }: AddDeps, by: By): Promise<Answer> {
  const { accountId } = by.caller;
  await throttle.adds.take(accountId);
  await inTransaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const apps = await listApps(client, allAppsOf(accountId));
    if (apps.length > 0) {
      if (apps.every(({ isSample }) => isSample)) return;
      throw new Problem("conflict", "Sample apps are for accounts that have no apps yet");
    }
    await sampleApps.add(client, accountId);
    await recordAct({ pool: client, clock }, by, { action: "sample_apps_added" });
  });
  return { redirect_to: "/apps" };
}

async function addFound(deps: AddDeps, by: By, body: AddAppBody): Promise<Answer> {
  const { items } = await lookupOf(deps, by, body);
  const found = items.find(({ id }) => id === body.item);
  if (!found) throw new Problem("invalid", { item: "Choose one of the apps that were found" });
  const { name, platform, url, logo_url, bundle_id: bundleId, store_id: storeId } = found;
  const flags = flagsFor(platform, body);
  const logo = logo_url === null ? {} : { logoUrl: logo_url };
  return added(deps, await keep(deps, by, { key: body.key, name, platform, bundleId, flags, url, storeId, ...logo }));
}

async function keep(deps: AddDeps, by: By, draft: Parameters<typeof keepApp>[2]): Promise<App> {
  await deps.throttle.adds.take(by.caller.accountId);
  return keepApp(deps, by, draft);
}

async function lookupOf({ lookups }: AddDeps, { caller }: By, { qid = "" }: AddAppBody) {
  const found = await lookups.find(caller.accountId, qid);
  if (!found) throw new Problem("not_found", LOOKUP_EXPIRED);
  return { qid, ...found };
}

function addressOf({ url = "" }: AddAppBody): StoreAddress {
  if (url === "") throw new Problem("invalid", { url: TEXTS.appUrlRequired });
  const address = readStoreAddress(url);
  if (!address) {
    throw new Problem("invalid", {
      url: "Use an app's address or id in Google Play, the App Store, the Amazon Appstore or the Roku Channel Store",
    });
  }
  return address;
}

const added = ({ demo }: AddDeps, { uuid }: App): Answer => ({
  redirect_to: `/apps/${uuid}/settings`,
  uuid,
  message: demo ? "Your app is live: in a demo, apps need no moderation." : SDK_STATUS_TEXTS.check,
});
