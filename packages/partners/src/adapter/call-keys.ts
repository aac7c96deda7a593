import type { KeysSchema, PartnerError } from "./adapter.ts";
import { keysBySchema } from "./check-keys.ts";
import type { Plan } from "./compile-plan.ts";
import type { Part } from "./split-imps.ts";

/** Which keys make a call that imps with different keys share. This is decided key by key, and an empty key never counts. */
export type KeysOf = "first" | "last" | "first-non-empty";

/** The keys of a call from those of its imps. Usually these have the same object, which is returned then. */
export function keysOfCall(schema: KeysSchema, parts: readonly Part<Plan>[], keysOf: KeysOf = "first"): object {
  const first = parts[0]?.keys ?? {};
  if (keysOf === "first" || parts.every(({ keys }) => keys === first)) return first;
  const merged: Record<string, unknown> = {};
  for (const { keys } of keysOf === "last" ? parts : parts.toReversed()) {
    for (const [key, value] of Object.entries(keysBySchema(schema, keys))) if (value !== "") merged[key] = value;
  }
  return merged;
}

/** The keys of the imps before the first of this call. */
export function keysBefore(parts: readonly Part<Plan>[], call: readonly Part<Plan>[]): readonly object[] {
  const first = parts.findIndex(({ imp }) => imp === call[0]?.imp);
  return parts.slice(0, first).map(({ keys }) => keys);
}

/** Gives a key to all imps once it is true for one of them. `planFor` compiles the keys of those that get it. */
export function withSharedKey(
  parts: readonly Part<Plan>[],
  key: string,
  planFor: (keys: object) => Plan | PartnerError,
): readonly Part<Plan>[] {
  const has = ({ keys }: Part<Plan>) => (keys as Record<string, unknown>)[key] === true;
  if (!parts.some(has)) return parts;
  return parts.map((part) => {
    if (has(part)) return part;
    const keys = { ...part.keys, [key]: true };
    const plan = planFor(keys);
    return "url" in plan ? { ...part, keys, plan } : part;
  });
}
