import type { PlaceKind } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";

interface Candidate {
  place: string;
  appId: number;
  /** A deleted one is meant only if it has sold something. */
  isLive: boolean;
}

const PLACES = {
  bundle: "SELECT lower(a.bundle_id) AS place WHERE lower(a.bundle_id) = ANY($1)",
  placement: "SELECT lower(z.zone) AS place FROM zones z WHERE z.app_id = a.id AND lower(z.zone) = ANY($1)",
} as const satisfies Record<PlaceKind, string>;

/** Finds the app of a place that sold on a day: its id, or what is wrong. */
export type FindApp = (place: string, day: string) => number | "unknown" | "ambiguous";

/**
 * Finds the apps that places name, whatever account they are of. A place that several apps have means the one that has sold to the
 * partner on the line's day.
 */
export async function resolvePlaces(
  db: Pool | PoolClient,
  { places, kind }: { places: readonly string[]; kind: PlaceKind },
  hasSold: (appId: number, day: string) => boolean,
): Promise<FindApp> {
  const { rows } = await db.query<Candidate>(
    `SELECT p.place, a.id AS "appId", a.deleted_at IS NULL AS "isLive"
     FROM apps a CROSS JOIN LATERAL (${PLACES[kind]}) p
     WHERE (NOT a.demo OR EXISTS (SELECT FROM accounts o WHERE o.id = a.account_id AND o.demo))`,
    [[...new Set(places.map((place) => place.toLowerCase()))]],
  );
  const byPlace = new Map<string, Candidate[]>();
  for (const row of rows) byPlace.set(row.place, [...(byPlace.get(row.place) ?? []), row]);
  return (place, day) => {
    const appsAtPlace = byPlace.get(place.toLowerCase()) ?? [];
    if (appsAtPlace.length === 0) return "unknown";
    const sellers = appsAtPlace.filter(({ appId }) => hasSold(appId, day));
    const candidates = sellers.length > 0 ? sellers : appsAtPlace.filter(({ isLive }) => isLive);
    const [match, secondMatch] = candidates.length > 0 ? candidates : appsAtPlace;
    return match !== undefined && secondMatch === undefined ? match.appId : "ambiguous";
  };
}
