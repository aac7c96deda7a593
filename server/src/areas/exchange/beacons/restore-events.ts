import { randomUUID } from "node:crypto";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { awayProblem, type Epoch, type Script, type SharedRedis } from "../../../platform/redis/shared-redis.ts";
import { hashIn, hashOf, placeNamed, placeOf } from "./event-places.ts";
import { FINISH, IS_READY, LOAD, LOCK, PENDING, READY, SETTLE, pendingKey } from "./event-scripts.ts";

/** Longer than a token's life: clocks of servers differ. */
const MARGIN_MS = 3_600_000;
/** Ids written at once. */
const AT_ONCE = 5000;
const RESTORING = "seen:restoring";
/** Each write extends it. */
const RESTORING_MS = 60_000;

export interface StoredEvents {
  redis: SharedRedis;
  /** How long a token is valid. */
  lifeMs: number;
  /** Ids of all stored events that may be repeated. */
  storedIds(): AsyncIterable<string>;
  /** Aborted when the process stops. */
  stopping: AbortSignal;
}

/** How long Redis keeps an event. */
export const keptMs = ({ lifeMs }: Pick<StoredEvents, "lifeMs">): number => lifeMs + MARGIN_MS;

/**
 * Writes all stored events into Redis if it does not have them in this epoch; one process does it. True once they are there.
 * Rejects if the epoch ends meanwhile: Redis has then lost what was written.
 */
export async function restoreEvents(
  deps: StoredEvents & { everyoneShipped(): Promise<void>; clock: Clock; log: Log },
  epoch: Epoch,
): Promise<boolean> {
  const { redis, everyoneShipped, clock, log } = deps;
  // Whatever could be repeated was stored in this epoch.
  if (epoch.sinceMs + keptMs(deps) < clock.now()) return true;
  const run = (script: Script, keys: string[], args: (string | number)[]) => redis.run(script, keys, args, epoch);
  if ((await run(IS_READY, [READY], [])) === 1) return true;
  const reader = randomUUID();
  if ((await run(LOCK, [RESTORING], [reader, RESTORING_MS])) !== 1) return false;
  let count = 0;
  const load = async (ids: readonly string[]) => {
    const places = ids.map((id) => placeOf({ id, issuedAtMs: 0 }));
    const keys = [RESTORING, ...places.map(({ restored }) => restored)];
    const outcome = await run(LOAD, keys, [reader, RESTORING_MS, keptMs(deps), ...places.map(({ field }) => field)]);
    if (outcome !== 1) throw awayProblem();
    count += ids.length;
  };
  let isDone = false;
  try {
    await everyoneShipped();
    await load([]);
    for await (const ids of inParts(deps)) await load(ids);
    isDone = true;
  } finally {
    const outcome = await run(FINISH, [RESTORING, READY], [reader, isDone ? 1 : 0, keptMs(deps)]);
    isDone &&= outcome === 1;
  }
  if (isDone) log.info({ events: count }, "the events of the last day are in Redis");
  return isDone;
}

/** Settles a process's claims in this epoch, except those that it still has, as the store says. */
export async function settleClaimsOf(
  process: string,
  isHeld: (owner: string) => boolean,
  deps: StoredEvents,
  epoch: Epoch,
): Promise<void> {
  const { redis } = deps;
  const key = pendingKey(process);
  const pending = pairs((await redis.run(PENDING, [key], [], epoch)) as string[]);
  const left = pending.filter(([, owner]) => !isHeld(owner));
  if (left.length === 0) return;
  const hashes = new Set(left.map(([name]) => hashIn(name)));
  const stored = new Set<string>();
  for await (const ids of inParts(deps)) {
    for (const hash of ids.map(hashOf)) if (hashes.has(hash)) stored.add(hash);
  }
  for (const [name, owner] of left) {
    const place = placeNamed(name);
    const args = [owner, stored.has(hashIn(name)) ? 1 : 0, keptMs(deps), place.field, name];
    await redis.run(SETTLE, [key, place.key], args, epoch);
  }
}

/** The stored ids. Rejects when the process stops. */
async function* inParts({ storedIds, stopping }: StoredEvents): AsyncGenerator<readonly string[]> {
  let ids: string[] = [];
  for await (const id of storedIds()) {
    stopping.throwIfAborted();
    ids.push(id);
    if (ids.length < AT_ONCE) continue;
    yield ids;
    ids = [];
  }
  yield ids;
}

function pairs(list: readonly string[]): [string, string][] {
  return list.flatMap((name, nth) => (nth % 2 === 0 ? [[name, list[nth + 1] ?? ""] as [string, string]] : []));
}
