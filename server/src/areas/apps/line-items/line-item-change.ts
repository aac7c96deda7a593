import { isDeepStrictEqual } from "node:util";
import type { LineItemFields, LinePrice } from "@millrace/contract";
import { fieldChange, listChange } from "../../audit/index.ts";

/**
 * The changed fields of a line item, for the audit log; null if there are none. A source may be long, so the log only says that
 * it changed.
 */
export function lineItemChange(before: LineItemFields, after: LineItemFields): Record<string, unknown> | null {
  const zones = listChange(before.zones, after.zones);
  const prices = priceChange(before.prices, after.prices);
  const changed = {
    ...fieldChange(plainOf(before), plainOf(after)),
    ...(zones && { zones }),
    ...(!isDeepStrictEqual(before.source, after.source) && { source_changed: true }),
    ...(prices && { prices }),
  };
  return Object.keys(changed).length === 0 ? null : changed;
}

export const priceChange = (before: readonly LinePrice[], after: readonly LinePrice[]) =>
  listChange(before.map(priceOf), after.map(priceOf));

/** The keys of objects from PostgreSQL's jsonb come in another order. */
const priceOf = ({ country, price }: LinePrice): LinePrice => ({ country, price });

const plainOf = ({ name, format, enabled, gvl_id }: LineItemFields) => ({ name, format, enabled, gvl_id });
