import { FORMATS } from "@millrace/contract";
import { DAY_MS, dayStartMs } from "@millrace/units";
import type { TestStores } from "../../../platform/testing/stores.ts";
import type { AuctionRow, EventRow } from "../../statistics/index.ts";
import { auction, click, impression, keep, ping, session } from "../../statistics/testing/some-rows.ts";
import { createApp } from "../index.ts";
import { newAccount } from "./apps-server.ts";
import { COUNTRIES, PROVIDERS } from "./numbers-agree.ts";

export const FIRST_DAY = "2024-02-26";
// More than a span of devices_by_span (128 days), so that ranges begin, end and lie within several.
export const DAYS = 300;
/** The last one shows no ad. */
const SDKS = ["1.0.0", "1.1.0", "9.9.9"];
const ZONES = ["main", "end", "shop"];

/** A small seeded generator, so that a failing case can be repeated. */
function dice(seed: number) {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const one = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  return { below, one };
}

function someRows(appIds: number[]) {
  const { below, one } = dice(7);
  const made: { auctions: AuctionRow[]; events: EventRow[] } = { auctions: [], events: [] };
  for (let index = 0; index < 9000; index++) {
    const moment = new Date(Date.parse(`${FIRST_DAY}T00:00:00Z`) + below(DAYS * DAY_MS)).toISOString();
    const who = { app_id: one(appIds), country: one(COUNTRIES), device: String(below(900) + 1) };
    const place = { zone: one(ZONES), format: one(FORMATS) };
    const invalid = below(20) === 0 ? "data_centre" : "";
    const asked = PROVIDERS.filter(() => below(3) > 0);
    switch (below(6)) {
      case 0:
        made.events.push(session(moment, { ...who, invalid, sdk_version: one(SDKS) }));
        break;
      case 1:
        made.events.push(ping(moment, below(60), who));
        break;
      case 2:
        made.events.push(click(moment, { ...who, ...place, provider: one(PROVIDERS), invalid }));
        break;
      case 3:
        made.events.push(
          impression(moment, {
            ...who,
            ...place,
            provider: one(PROVIDERS),
            invalid,
            revenue_micros: below(20_000),
            sdk_version: one(SDKS.slice(0, 2)),
          }),
        );
        break;
      default:
        made.auctions.push(
          auction(moment, {
            ...who,
            ...place,
            asked,
            no_ad: asked.length > 0 ? one(["", "", "no_demand", "timeout"]) : "no_partner_ready",
          }),
        );
    }
  }
  return made;
}

const nthThird = (atSeconds: string): number =>
  Math.floor((3 * (Number(atSeconds) * 1000 - dayStartMs(FIRST_DAY))) / (DAYS * DAY_MS));

/** An account with three apps, one without rows, and another account's app; rows of many months, in several batches. */
export async function threeApps(stores: TestStores) {
  const account = await newAccount(stores, "Owner");
  const foreign = await newAccount(stores, "Other");
  const make = (owner: number, name: string) =>
    createApp(stores.pg.pool, owner, { name, bundleId: `com.example.${name}`, platform: "android" });
  const apps = [await make(account, "tide"), await make(account, "chess"), await make(account, "idle")];
  const others = await make(foreign, "foreign");
  const made = someRows([apps[0]?.id ?? 0, apps[1]?.id ?? 0, others.id]);
  // As traffic comes: in the order of time, and some of all days late. So numbers come from several parts of each table.
  for (let part = 0; part < 4; part++) {
    const isOfPart = ({ at }: { at: string }, index: number) =>
      part === 3 ? index % 8 === 0 : index % 8 > 0 && nthThird(at) === part;
    await keep(stores.clickhouse, { auctions: made.auctions.filter(isOfPart), events: made.events.filter(isOfPart) });
  }
  return { account, apps };
}
