import { openrtbPartner } from "./openrtb.ts";
import type { Adapter } from "./adapter.ts";

// Keys are checked against the partner's schema before they get here (`checkKeys`), so its own type of them holds.
const generalised = <Keys>(partner: Adapter<Keys>): Adapter => partner as unknown as Adapter;

/** Every kind of partner the platform knows. */
export const ADAPTERS: readonly Adapter[] = [generalised(openrtbPartner)];

const byId = new Map(ADAPTERS.map((partner) => [partner.id, partner]));

/** The kind of this id; undefined for an unknown one. */
export function findAdapter(id: string): Adapter | undefined {
  return byId.get(id);
}
