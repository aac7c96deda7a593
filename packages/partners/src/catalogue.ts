import { openrtbPartner } from "./openrtb.ts";
import type { Adapter } from "./adapter.ts";

// `checkKeys` has checked the keys against the adapter's schema, so they have the adapter's own type.
const generalised = <Keys>(adapter: Adapter<Keys>): Adapter => adapter as unknown as Adapter;

export const ADAPTERS: readonly Adapter[] = [generalised(openrtbPartner)];

const byId = new Map(ADAPTERS.map((adapter) => [adapter.id, adapter]));

export function findAdapter(id: string): Adapter | undefined {
  return byId.get(id);
}
