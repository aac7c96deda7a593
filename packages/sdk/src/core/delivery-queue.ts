import { backoffMs } from "./backoff.ts";
import { type BatchEvent, batchEventOf, batchRequest, type Verdict, verdictsOf } from "./event-batch.ts";
import { randomId } from "./random-id.ts";
import type { Host, Incoming } from "./seams.ts";

const MAX_ITEMS = 500;
const MAX_AGE_MS = 3 * 24 * 3_600_000;
const MAX_AT_ONCE = 4;
const SEND_TIMEOUT_MS = 15_000;
/** Far below what the server takes in one request, and in one burst. */
const MAX_IN_BATCH = 100;
/** With more than so many waiting, one whose wait is over takes the others along. */
const FEW = 3;

interface Item {
  id: string;
  url: string;
  body?: string;
  /** What a batch says in its place; null where it goes by its own request only. */
  event: BatchEvent | null;
  /** Epoch milliseconds of its coming in. */
  at: number;
  tries: number;
  /** When it may be sent, in the clock's ticks. */
  due: number;
  /** Until then the server has asked to be left alone. */
  askedUntil: number;
  sending: boolean;
  /** Left in storage by an earlier run, or by another page of this app that still runs. */
  found: boolean;
}

export type Outcome = "delivered" | "retrying" | "refused" | "dropped";

export interface DeliveryQueue {
  /** Takes a beacon (GET) or a JSON message (POST); it is kept before it is sent. */
  add(url: string, body?: string): void;
  /** Everything is due now: the network or the app has come back. */
  flush(): void;
  size(): number;
  /** Stops sending; what is left stays in storage for the next start. */
  close(): void;
}

/**
 * Delivers at least once: an item stays, over reloads too, until the server took or refused it, it is three days old, or 500
 * newer ones have come. The server counts a repetition once, so an answer that got lost costs nothing.
 * What is due alone goes by its own request, what is due together goes in one batch: after a restart, when the network comes
 * back, and when more than a few wait.
 * Every item has a storage key of its own: two pages of one app never overwrite each other's list.
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
    const { url, body, at, tries } = item;
    quietly(() => storage.set(key(item.id), JSON.stringify({ url, body, at, tries })));
  }

  function forget(item: Item, outcome: Outcome): void {
    items.delete(item.id);
    quietly(() => storage.remove(key(item.id)));
    report(outcome, item.url);
  }

  function adopt(): void {
    const keys = quietly(() => storage.keys()) ?? [];
    // Ids begin with their time, so the order of the keys is the order of coming in.
    for (const name of keys.filter((name) => name.startsWith(prefix)).sort()) {
      const item = readItem(quietly(() => storage.get(name)) ?? "", name.slice(prefix.length), clock.ticks());
      if (item) items.set(item.id, item);
      else quietly(() => storage.remove(name));
    }
  }

  function dropSurplus(): void {
    for (const item of items.values()) {
      const tooOld = clock.now() - item.at > MAX_AGE_MS;
      if (!item.sending && (tooOld || items.size > MAX_ITEMS)) forget(item, "dropped");
    }
  }

  function pump(): void {
    if (closed) return;
    cancel();
    const now = clock.ticks();
    const idle = [...items.values()].filter((item) => !item.sending);
    const isDue = (item: Item) => item.due <= now;
    const takeAll = idle.length > FEW && idle.some((item) => isDue(item) && item.tries > 0);
    const ready = idle.filter((item) => isDue(item) || (takeAll && item.askedUntil <= now));
    for (const group of together(ready)) {
      if (sending >= MAX_AT_ONCE) return;
      void send(group);
    }
    let soonest = Infinity;
    for (const item of items.values()) if (!item.sending) soonest = Math.min(soonest, item.due - now);
    if (soonest < Infinity) cancel = clock.after(soonest, pump);
  }

  /** Gone from storage: the page that left it here was alive after all, and has delivered it. */
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
      reply = await transport({ ...requestFor(first, group), timeoutMs: SEND_TIMEOUT_MS });
    } catch {
      // No reply: the same as a server that asks to come again.
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
      // A server that takes no batches, or not this one: each goes by its own request.
      if (verdict === undefined) item.event = null;
      else if (verdict !== "retrying") forget(item, verdict);
      else {
        item.tries += 1;
        item.askedUntil = clock.ticks() + (reply?.retryAfterMs ?? 0);
        // The same for all of them: they stay together.
        item.due = Math.max(clock.ticks() + wait, item.askedUntil);
        keep(item);
        report(verdict, item.url);
      }
    }
  }

  adopt();
  dropSurplus();
  // Not at once: the queue's creator attaches its listeners first.
  cancel = clock.after(0, pump);

  return {
    add(url, body) {
      added += 1;
      const id = `${base36(clock.now(), 9)}-${base36(added, 5)}-${randomId(random)}`;
      const item = newItem(id, { url, body, at: clock.now(), tries: 0 }, clock.ticks(), false);
      items.set(id, item);
      keep(item);
      dropSurplus();
      pump();
    },
    flush() {
      for (const item of items.values()) item.due = clock.ticks();
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

/** Groups that a request each carries: the events of one platform, or a single item. */
function together(ready: readonly Item[]): Item[][] {
  const groups: Item[][] = [];
  const open = new Map<string, Item[]>();
  for (const item of ready) {
    const group = item.event && open.get(item.event.platform);
    if (group && group.length < MAX_IN_BATCH) group.push(item);
    else {
      groups.push([item]);
      if (item.event) open.set(item.event.platform, groups.at(-1) ?? []);
    }
  }
  return groups;
}

function requestFor(first: Item, group: readonly Item[]): { url: string; body?: string } {
  const events = group.flatMap(({ event }) => event?.event ?? []);
  if (first.event && events.length > 1) return batchRequest(first.event, events);
  return { url: first.url, ...(first.body !== undefined && { body: first.body }) };
}

/** Null where a batch as a whole is refused for good. */
function verdictsFor(count: number, reply: Incoming | null): Verdict[] | null {
  if (!reply || isTemporary(reply.status)) return Array<Verdict>(count).fill("retrying");
  if (count === 1) return [reply.status < 400 ? "delivered" : "refused"];
  return reply.status === 200 ? verdictsOf(reply.json, count) : null;
}

/** 408, 425 and 429 ask to come again, as does every trouble of the server's own. */
function isTemporary(status: number): boolean {
  return status >= 500 || status === 408 || status === 425 || status === 429;
}

function readItem(text: string, id: string, due: number): Item | null {
  const value = quietly(() => JSON.parse(text) as unknown);
  if (typeof value !== "object" || value === null) return null;
  const { url, body, at, tries } = value as Record<string, unknown>;
  if (typeof url !== "string" || typeof at !== "number" || typeof tries !== "number") return null;
  return newItem(id, { url, body: typeof body === "string" ? body : undefined, at, tries }, due, true);
}

function newItem(
  id: string,
  kept: Pick<Item, "url" | "at" | "tries"> & { body: string | undefined },
  due: number,
  found: boolean,
): Item {
  const { body, ...rest } = kept;
  const event = quietly(() => batchEventOf(rest.url, body)) ?? null;
  return { ...rest, id, event, due, askedUntil: due, sending: false, found, ...(body !== undefined && { body }) };
}

function quietly<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
