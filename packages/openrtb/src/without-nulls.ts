import { isObject, MAX_DEPTH } from "./check.ts";

// Free-form parts, where a null can have a meaning of its own.
const UNTOUCHED = new Set(["ext", "customdata"]);

/**
 * Removes fields that are null, so that absent has one spelling. Returns the same object if there are none. Nulls below the
 * greatest depth stay, because no check lets them pass.
 */
export function withoutNulls<T>(value: T): T {
  return hasNulls(value, MAX_DEPTH) ? (stripped(value, MAX_DEPTH) as T) : value;
}

// Nearly all messages have none, so looking first saves a copy.
function hasNulls(value: unknown, levels: number): boolean {
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.some((item) => typeof item === "object" && hasNulls(item, levels - 1));
  if (!isObject(value)) return false;
  for (const key in value) {
    const field = value[key];
    if (field === null) return true;
    if (typeof field === "object" && !UNTOUCHED.has(key) && hasNulls(field, levels - 1)) return true;
  }
  return false;
}

function stripped(value: unknown, levels: number): unknown {
  if (levels === 0) return value;
  if (Array.isArray(value)) return value.map((item) => stripped(item, levels - 1));
  if (!isObject(value)) return value;
  const kept: [string, unknown][] = [];
  for (const [key, field] of Object.entries(value)) {
    if (field !== null) kept.push([key, UNTOUCHED.has(key) ? field : stripped(field, levels - 1)]);
  }
  return Object.fromEntries(kept);
}
