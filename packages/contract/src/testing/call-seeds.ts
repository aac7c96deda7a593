import { isCall } from "../calls.ts";
import * as contract from "../index.ts";
import type { Call } from "../define-call.ts";
import { accountSeeds } from "./account-seeds.ts";
import { appSeeds } from "./app-seeds.ts";
import { campaignSeeds } from "./campaign-seeds.ts";
import { exchangeSeeds } from "./exchange-seeds.ts";
import type { SeedIds, SeedParts } from "./seed-ids.ts";

export { NOBODY, type SeedIds, seedIds } from "./seed-ids.ts";

type Contract = typeof contract;
/** The name of every call of the contract. */
export type CallName = {
  [K in keyof Contract]: Contract[K] extends { method: string; path: string; access: unknown } ? K : never;
}[keyof Contract];

/** Every call of the contract by its name. */
export const NAMED_CALLS = Object.fromEntries(
  Object.entries<unknown>(contract).filter(([, value]) => isCall(value)),
) as Record<CallName, Call>;

/** A well-formed request. */
export interface Seed {
  method: Call["method"];
  path: string;
  query?: Record<string, string>;
  body?: object;
}

/** A well-formed request to every call: a new call of the contract does not compile without a seed. */
export function callSeeds(ids: SeedIds): Record<CallName, Seed> {
  const parts = partsOf(ids);
  const seeds = (Object.keys(parts) as CallName[]).map((name) => [name, seedOf(NAMED_CALLS[name], parts[name])]);
  return Object.fromEntries(seeds) as Record<CallName, Seed>;
}

/** A well-formed request to one call. */
export const callSeed = (name: CallName, ids: SeedIds): Seed => seedOf(NAMED_CALLS[name], partsOf(ids)[name]);

const partsOf = (ids: SeedIds): Record<CallName, SeedParts> => ({
  ...accountSeeds(ids),
  ...appSeeds(ids),
  ...campaignSeeds(ids),
  ...exchangeSeeds(ids),
});

function seedOf({ method, path }: Call, { params = {}, query, body }: SeedParts): Seed {
  return {
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? ""),
    ...(query && { query }),
    ...(body && { body }),
  };
}
