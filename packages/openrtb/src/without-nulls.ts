import { isObject } from "./check.ts";

// Free-form parts: what a null means there is their owner's matter.
const UNTOUCHED = new Set(["ext", "customdata"]);

/** The value without fields that are null, so that absent has one spelling; the same object where there were none. */
export function withoutNulls<T>(value: T): T {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => withoutNulls(item));
    return items.some((item, index) => item !== value[index]) ? (items as T) : value;
  }
  if (!isObject(value)) return value;
  let changed = false;
  const kept: [string, unknown][] = [];
  for (const [key, field] of Object.entries(value)) {
    const clean: unknown = UNTOUCHED.has(key) ? field : withoutNulls(field);
    if (clean !== field || clean === null) changed = true;
    if (clean !== null) kept.push([key, clean]);
  }
  return changed ? (Object.fromEntries(kept) as T) : value;
}
