import { z } from "zod";
import { defineStat } from "../../platform/clickhouse/define-stat.ts";

/** The apps of those of these auctions that are recorded. The index on auction_id finds them without a moment. */
export const auctionApps = defineStat({
  name: "auction-apps",
  sql: `SELECT toString(auction_id) AS auction, any(app_id) AS appId FROM auctions
    WHERE auction_id IN {auctions:Array(UUID)} GROUP BY auction_id`,
  // `de` is today: the newest of them may be on their way to the store.
  params: z.object({ auctions: z.array(z.guid()), de: z.iso.date() }),
  row: z.object({ auction: z.guid(), appId: z.int() }),
});
