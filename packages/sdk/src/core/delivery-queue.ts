import { backoffMs } from "./backoff.ts";
import { type BatchEvent, batchEventOf, batchRequest, type Verdict, verdictsOf } from "./event-batch.ts";
import { randomId } from "./random-id.ts";
import type { Host, Incoming } from "./host.ts";

const MAX_ITEMS = 500;
const MAX_AGE_MS = 3 * 24 * 3_600_000;
const MAX_AT_ONCE = 4;
const SEND_TIMEOUT_MS = 15_000;
/** Far below the server's limits for a request and a burst. */
const MAX_IN_BATCH = 100;
/** If more items wait, the first retry that is due takes the others along. */
const MAX_RETRIED_ALONE = 3;

interface Item {
  id: string;
  url: string;
  body?: string | undefined;
  /** The item as an event in a batch; null if it must be sent by its own request. */
  event: BatchEvent | null;
  /** When it was added, in epoch milliseconds. */
  at: number;
  tries: number;
  /** When it may be sent next, in the clock's ticks. */
  due: number;
  /** The server has asked for no retry before this time, in ticks. */
  askedUntil: number;
  sending: boolean;
  /** Found in storage: left by an earlier run, or owned by another open page of this app. */
  found: boolean;
  /** Unpaid items make room for paid ones: 0 for a ping, 1 for a loss or an adapter's outcome. */
  worth: number;
  /** The address of an item without which this one does not count. */
  after?: string | undefined;
}

export type Outcome = "delivered" | "retrying" | "refused" | "dropped";

export interface DeliveryQueue {
  /**
   * Adds a beacon (GET) or a JSON message (POST). It is stored before it is sent. If the item `after` still waits, both are sent
   * now, and this one never before it.
   */
  add(url: string, body?: string, after?: string): void;
  /** Sends everything now, because the network or the app is back; only what the server has deferred waits for its time. */
  flush(): void;
  size(): number;
  /** Stops sending. Remaining items stay in storage for the next start. */
  close(): void;
}

/**
 * Delivers each item at least once. An item stays, also across reloads, until the server accepts or refuses it, it is three
 * days old, or there are more than 500: then pings go first, and losses before what is paid. The server counts repeats once, so a lost reply does no harm.
 * An item that is due alone goes by its own request; items that are due together (after a restart, when the network is back,
 * or when more than a few wait) go in one batch.
 * Every item has its own storage key, so that two pages of one app never overwrite each other's items.
 */
export function deliveryQueue(
  host: Host,
  prefix: string,
  report: (outcome: Outcome, url: string) => void,
): DeliveryQueue {
  const { clock, storage, transport, random } = host;
  const items = new Map<string, Item>();
  let sending = 0;
  let added = 0;
  let closed = false;
  let cancel = () => {};

  const key = (id: string) => prefix + id;

  function keep(item: Item): void {
    const { url, body, at, tries, after } = item;
    quietly(() => storage.set(key(item.id), JSON.stringify({ url, body, at, tries, after })));
  }

  function forget(item: Item, outcome: Outcome): void {
    items.delete(item.id);
    quietly(() => storage.remove(key(item.id)));
    report(outcome, item.url);
  }

  function restore(): void {
    const keys = quietly(() => storage.keys()) ?? [];
    // Ids start with the time, so sorted keys are in the order of arrival.
    for (const name of keys.filter((name) => name.startsWith(prefix)).sort()) {
      const item = readItem(quietly(() => storage.get(name)) ?? "", name.slice(prefix.length), clock.ticks());
      if (item) items.set(item.id, item);
      else quietly(() => storage.remove(name));
    }
  }

  function dropSurplus(): void {
    for (const item of [...items.values()].sort((a, b) => a.worth - b.worth)) {
      const tooOld = clock.now() - item.at > MAX_AGE_MS;
      if (!item.sending && (tooOld || items.size > MAX_ITEMS)) forget(item, "dropped");
    }
  }

  /** Whether an item must wait for the one after which it counts, unless it goes behind that one in a batch. */
  const isEarly = ({ after }: Item, batch: readonly Item[] = []) =>
    after !== undefined && [...items.values()].some((item) => item.url === after && !batch.includes(item));

  function pump(): void {
    if (closed) return;
    cancel();
    const now = clock.ticks();
    const all = [...items.values()];
    const idle = all.filter((item) => !item.sending);
    const isDue = (item: Item) => item.due <= now;
    const takeAll = idle.length > MAX_RETRIED_ALONE && idle.some((item) => isDue(item) && item.tries > 0);
    const due = idle.filter((item) => isDue(item) || (takeAll && item.askedUntil <= now));
    for (const group of groupByRequest(due, isEarly)) {
      if (sending >= MAX_AT_ONCE) return;
      void send(group);
    }
    let soonest = Infinity;
    for (const item of all) if (!item.sending && !isEarly(item)) soonest = Math.min(soonest, item.due - now);
    if (soonest < Infinity) cancel = clock.after(soonest, pump);
  }

  /** Whether a found item has left storage because the page that owns it has delivered it. */
  function isGone({ id, found }: Item): boolean {
    const gone = found && quietly(() => storage.get(key(id))) === null;
    if (gone) items.delete(id);
    return gone;
  }

  async function send(all: readonly Item[]): Promise<void> {
    const group = all.filter((item) => !isGone(item));
    const [first] = group;
    if (!first) return;
    for (const item of group) item.sending = true;
    sending += 1;
    let reply: Incoming | null = null;
    try {
      const { url, body } = requestFor(first, group);
      reply = await transport({ url, body, timeoutMs: SEND_TIMEOUT_MS });
    } catch {
      // No reply is handled like a temporary error.
    }
    sending -= 1;
    settle(group, reply);
    dropSurplus();
    pump();
  }

  function settle(group: readonly Item[], reply: Incoming | null): void {
    const tries = Math.max(...group.map((item) => item.tries)) + 1;
    const wait = backoffMs(tries, random);
    const verdicts = verdictsFor(group.length, reply);
    for (const [nth, item] of group.entries()) {
      item.sending = false;
      const verdict = verdicts?.[nth];
      // The server refuses this batch or all batches: send each item by its own request.
      if (verdict === undefined) item.event = null;
      else if (verdict !== "retrying") forget(item, verdict);
      else {
        item.tries += 1;
        item.askedUntil = clock.ticks() + (reply?.retryAfterMs ?? 0);
        // The same for the whole group, so that it stays together.
        item.due = Math.max(clock.ticks() + wait, item.askedUntil);
        keep(item);
        report(verdict, item.url);
      }
    }
  }

  restore();
  dropSurplus();
  // Later, so that the creator can attach its listeners first.
  cancel = clock.after(0, pump);

  return {
    add(url, body, after) {
      added += 1;
      const id = `${base36(clock.now(), 9)}-${base36(added, 5)}-${randomId(random)}`;
      const item = newItem(id, { url, body, at: clock.now(), tries: 0, after }, clock.ticks(), false);
      for (const each of items.values()) if (each.url === after) each.due = each.askedUntil;
      items.set(id, item);
      keep(item);
      dropSurplus();
      pump();
    },
    flush() {
      for (const item of items.values()) item.due = item.askedUntil;
      pump();
    },
    size: () => items.size,
    close() {
      closed = true;
      cancel();
    },
  };
}

const base36 = (number: number, digits: number) => number.toString(36).padStart(digits, "0");

/** Groups items by request: the events of one platform, or a single item. Leaves out those that are early. */
function groupByRequest(ready: readonly Item[], isEarly: (item: Item, batch: Item[]) => boolean): Item[][] {
  const groups: Item[][] = [];
  const open = new Map<string, Item[]>();
  for (const item of ready) {
    const platform = item.event?.platform ?? "";
    const batch = open.get(platform);
    const group = batch && batch.length < MAX_IN_BATCH ? batch : [];
    if (isEarly(item, group)) continue;
    if (group.push(item) > 1) continue;
    groups.push(group);
    if (platform) open.set(platform, group);
  }
  return groups;
}

function requestFor(first: Item, group: readonly Item[]): { url: string; body?: string | undefined } {
  const events = group.flatMap(({ event }) => event?.event ?? []);
  if (first.event && events.length > 1) return batchRequest(first.event, events);
  return first;
}

/** Null if a batch is refused as a whole. */
function verdictsFor(count: number, reply: Incoming | null): Verdict[] | null {
  if (!reply || isTemporary(reply.status)) return Array<Verdict>(count).fill("retrying");
  if (count === 1) return [reply.status < 400 ? "delivered" : "refused"];
  return reply.status === 200 ? verdictsOf(reply.json, count) : null;
}

function isTemporary(status: number): boolean {
  return status >= 500 || status === 408 || status === 425 || status === 429;
}

function readItem(text: string, id: string, due: number): Item | null {
  const value = quietly(() => JSON.parse(text) as unknown);
  if (typeof value !== "object" || value === null) return null;
  const { url, body, at, tries, after } = value as Record<string, unknown> & Pick<Item, "after">;
  if (typeof url !== "string" || typeof at !== "number" || typeof tries !== "number") return null;
  return newItem(id, { url, body: typeof body === "string" ? body : undefined, at, tries, after }, due, true);
}

function newItem(
  id: string,
  kept: Pick<Item, "url" | "at" | "tries" | "after"> & { body: string | undefined },
  due: number,
  found: boolean,
): Item {
  const { body, ...rest } = kept;
  const event = quietly(() => batchEventOf(rest.url, body)) ?? null;
  const worth = rest.url.endsWith("/ping") ? 0 : /\/(loss|player)\?/.test(rest.url) ? 1 : 2;
  return { ...rest, id, event, due, askedUntil: due, sending: false, found, body, worth };
}

function quietly<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
