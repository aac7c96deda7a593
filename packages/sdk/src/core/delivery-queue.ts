import { backoffMs } from "./backoff.ts";
import { randomId } from "./random-id.ts";
import type { Host, Incoming } from "./seams.ts";

const MAX_ITEMS = 500;
const MAX_AGE_MS = 3 * 24 * 3_600_000;
const MAX_AT_ONCE = 4;
const SEND_TIMEOUT_MS = 15_000;

interface Item {
  id: string;
  url: string;
  body?: string;
  /** Epoch milliseconds of its coming in. */
  at: number;
  tries: number;
  /** When it may be sent, in the clock's ticks. */
  due: number;
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
    let soonest = Infinity;
    for (const item of items.values()) {
      if (sending >= MAX_AT_ONCE) return;
      const wait = item.due - clock.ticks();
      if (item.sending) continue;
      if (wait <= 0) void send(item);
      else soonest = Math.min(soonest, wait);
    }
    if (soonest < Infinity) cancel = clock.after(soonest, pump);
  }

  async function send(item: Item): Promise<void> {
    // Gone from storage: the page that left it here was alive after all, and has delivered it.
    if (item.found && quietly(() => storage.get(key(item.id))) === null) {
      items.delete(item.id);
      return;
    }
    item.sending = true;
    sending += 1;
    let reply: Incoming | null = null;
    try {
      const body = item.body === undefined ? {} : { body: item.body };
      reply = await transport({ url: item.url, ...body, timeoutMs: SEND_TIMEOUT_MS });
    } catch {
      // No reply: the same as a server that asks to come again.
    }
    sending -= 1;
    item.sending = false;
    if (reply && !isTemporary(reply.status)) {
      forget(item, reply.status < 400 ? "delivered" : "refused");
    } else {
      item.tries += 1;
      item.due = clock.ticks() + Math.max(backoffMs(item.tries, random), reply?.retryAfterMs ?? 0);
      keep(item);
      report("retrying", item.url);
    }
    dropSurplus();
    pump();
  }

  adopt();
  dropSurplus();
  // Not at once: the queue's creator attaches its listeners first.
  cancel = clock.after(0, pump);

  return {
    add(url, body) {
      added += 1;
      const id = `${base36(clock.now(), 9)}-${base36(added, 5)}-${randomId(random)}`;
      const item = { id, url, at: clock.now(), tries: 0, due: clock.ticks(), sending: false, found: false };
      items.set(id, body === undefined ? item : { ...item, body });
      keep(items.get(id) ?? item);
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

/** 408, 425 and 429 ask to come again, as does every trouble of the server's own. */
function isTemporary(status: number): boolean {
  return status >= 500 || status === 408 || status === 425 || status === 429;
}

function readItem(text: string, id: string, due: number): Item | null {
  const value = quietly(() => JSON.parse(text) as unknown);
  if (typeof value !== "object" || value === null) return null;
  const { url, body, at, tries } = value as Record<string, unknown>;
  if (typeof url !== "string" || typeof at !== "number" || typeof tries !== "number") return null;
  const item: Item = { id, url, at, tries, due, sending: false, found: true };
  return typeof body === "string" ? { ...item, body } : item;
}

function quietly<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
