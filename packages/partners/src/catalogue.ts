import { openrtbPartner } from "./openrtb.ts";
import type { Partner } from "./partner.ts";

// Keys are checked against the partner's schema before they get here (`checkKeys`), so its own type of them holds.
const generalised = <Keys>(partner: Partner<Keys>): Partner => partner as unknown as Partner;

/** Every kind of partner the platform knows. */
export const PARTNERS: readonly Partner[] = [generalised(openrtbPartner)];

const byId = new Map(PARTNERS.map((partner) => [partner.id, partner]));

/** The kind of this id; undefined for an unknown one. */
export function findPartner(id: string): Partner | undefined {
  return byId.get(id);
}
