import { isObject } from "./check.ts";

// Free-form parts, where a null can have a meaning of its own.
const UNTOUCHED = new Set(["ext", "customdata"]);

/** Removes fields that are null, so that absent has one spelling. Returns the same object if there are none. */
export function withoutNulls<T>(value: T): T {
  return hasNulls(value) ? (stripped(value) as T) : value;
}

// Nearly all responses have none, so looking first saves a copy.
function hasNulls(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => typeof item === "object" && hasNulls(item));
  if (!isObject(value)) return false;
  for (const key in value) {
    const field = value[key];
    if (field === null) return true;
    if (typeof field === "object" && !UNTOUCHED.has(key) && hasNulls(field)) return true;
  }
  return false;
}

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => stripped(item));
  if (!isObject(value)) return value;
  const kept: [string, unknown][] = [];
  for (const [key, field] of Object.entries(value)) {
    if (field !== null) kept.push([key, UNTOUCHED.has(key) ? field : stripped(field)]);
  }
  return Object.fromEntries(kept);
}
