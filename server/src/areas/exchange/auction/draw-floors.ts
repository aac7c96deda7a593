import { type FloorDraw, type Offer, publisherFloorMicros } from "@millrace/auction";
import { drawFloor, groupsOf, type LearnedFloor } from "@millrace/learning";
import type { AppConfig } from "../config/snapshot.ts";

/** The learned floors of an app by the names of cells, see `groupsOf`; undefined for an app without any. */
export interface KnownFloors {
  of(appId: string): Readonly<Record<string, LearnedFloor>> | undefined;
}

interface FloorRequest {
  auctionId: string;
  app: Pick<AppConfig, "id" | "platform" | "hasAutomaticFloors" | "facts">;
  country: string;
}

/**
 * Draws the floors of an auction's imps, where the app's are automatic and something is learned for the imp's cell. What is drawn
 * depends on the auction's id and the learned table alone, and the trace keeps it. Undefined where nothing is drawn.
 */
export function drawFloors(
  known: KnownFloors,
  { auctionId, app, country }: FloorRequest,
  offers: readonly Offer[],
): FloorDraw[] | undefined {
  const learned = app.hasAutomaticFloors ? known.of(String(app.id)) : undefined;
  if (learned === undefined) return undefined;
  const draws = offers.flatMap(({ imp, format }) => {
    const [, , cell] = groupsOf({ format, country, platform: app.platform });
    const floor = Object.hasOwn(learned, cell) ? learned[cell] : undefined;
    if (floor === undefined) return [];
    const ownMicros = publisherFloorMicros(app.facts.floors, country, format);
    return [drawFloor({ seed: auctionId, impId: imp.id }, floor, ownMicros)];
  });
  return draws.length === 0 ? undefined : draws;
}
