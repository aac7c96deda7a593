import type { PoolClient } from "pg";
import type { Sealer } from "../../platform/sealed/sealer.ts";
import { formatsOf } from "./app-partners.ts";
import { listKeysOf, listPartners, setPartnerKeys } from "./store.ts";

/** What the demo's bidders take as keys. */
const DEMO_KEYS = { seat: "demo" };

/**
 * Gives an account's app keys at each active partner of the demo, for the formats that it buys. Keys that are there stay
 * as they are. Returns the ids of the demo's active partners.
 */
export async function connectDemoPartners(
  client: PoolClient,
  sealer: Sealer,
  accountId: number,
  appId: number,
): Promise<string[]> {
  const partners = (await listPartners(client)).filter(({ demo, active }) => demo && active);
  const known = new Set((await listKeysOf(client, sealer, accountId, appId)).map(keyOf));
  for (const partner of partners) {
    for (const format of formatsOf(partner)) {
      const place = { app_id: appId, partner_id: partner.id, format };
      if (!known.has(keyOf(place))) {
        await setPartnerKeys(client, sealer, accountId, { ...place, keys: DEMO_KEYS, enabled: true });
      }
    }
  }
  return partners.map(({ id }) => id);
}

const keyOf = ({ partner_id, format }: { partner_id: string; format: string }) => `${partner_id} ${format}`;
