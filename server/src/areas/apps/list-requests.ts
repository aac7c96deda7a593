import { type RequestsQuery, type Reply, type listRequests as call, narrowed } from "@millrace/contract";
import type { AppReach } from "../../platform/http/caller.ts";
import { type Place, knownFormat, placeOf, reasonText } from "../statistics/index.ts";
import type { AppsDeps } from "./deps.ts";
import { providerLabels } from "./provider-labels.ts";
import { ownApp, zoneNames } from "./store.ts";

/** An app's recorded requests, newest first. Problem `not_found` for another account's or an unknown app. */
export async function listRequests(
  deps: AppsDeps,
  reach: AppReach,
  uuid: string,
  query: RequestsQuery,
): Promise<Reply<typeof call>> {
  const { pool, statistics } = deps;
  const app = await ownApp(pool, reach, uuid);
  const [providers, zones, found] = await Promise.all([
    providerLabels(deps),
    zoneNames(pool, [app.id]),
    statistics.requests({
      appId: app.id,
      range: { ds: query.ds, de: query.de },
      zones: query.zone,
      formats: narrowed(query.format) ?? [],
      countries: narrowed(query.country) ?? [],
      reasons: query.reason,
      winners: query.winner,
      partners: query.partner,
      isSold: query.outcome === undefined ? null : query.outcome === "sold",
      before: query.before === undefined ? null : readCursor(query.before),
      after: query.after === undefined ? null : readCursor(query.after),
      rows: query.rows,
    }),
  ]);
  const [newest] = found.requests;
  return {
    requests: found.requests.map((row) => ({
      auction: row.auction,
      imp: row.imp,
      at: new Date(row.atMs).toISOString(),
      zone: row.zone,
      zone_name: zones.get(row.zone) ?? row.zone,
      format: knownFormat(row.format),
      country: row.country,
      no_ad: row.noAd === "" ? null : { code: row.noAd, text: reasonText(row.noAd) },
      winner: row.winner === "" ? null : { provider: row.winner, name: providers.get(row.winner) ?? row.winner },
      price: row.winner === "" ? null : row.price,
      asked: row.partners,
      duration_ms: Math.round(row.durationMs * 100) / 100,
      traced: row.traced,
    })),
    newest: newest ? writeCursor(placeOf(newest)) : null,
    older: found.older && writeCursor(found.older),
    searched_from: new Date(found.searchedFromMs).toISOString(),
    kept_days: statistics.keptDays,
  };
}

const writeCursor = ({ atMs, auction, imp }: Place): string => `${atMs}~${auction}~${imp}`;

/** The contract has checked the cursor's form. The imp's id may contain the separator. */
function readCursor(cursor: string): Place {
  const [at = "", auction = "", ...imp] = cursor.split("~");
  return { atMs: Number(at), auction, imp: imp.join("~") };
}
