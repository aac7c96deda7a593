import type { CallSlots } from "../../../platform/outbound/call-slots.ts";

export type NoticeKind = "win" | "billing" | "loss";

/**
 * How a notice ended: `sent` (there was an answer), `failed` (no answer, or one that asks for a retry), `refused` (the
 * address must not be called), `dropped` (too many wait), `closed` (the platform is stopping).
 */
export type NoticeOutcome = "sent" | "failed" | "refused" | "dropped" | "closed";

export interface WaitingNotice {
  kind: NoticeKind;
  url: string;
  bidder: string;
  end: (outcome: NoticeOutcome) => void;
}

const MAX_WAITING = 10_000;
const MAX_WAITING_CHARS = 16 * 2 ** 20;
/** The limit for one bidder. */
const MAX_WAITING_EACH = 2000;

/** Notices in memory that wait for a call, within limits. */
export class WaitingNotices {
  /** Non-empty queues by bidder, in the order of their turns. */
  readonly #queues = new Map<string, WaitingNotice[]>();
  #count = 0;
  #chars = 0;

  get count(): number {
    return this.#count;
  }

  /** False if too many wait: a slow bidder must not fill the memory. */
  add(notice: WaitingNotice): boolean {
    const { bidder, url } = notice;
    const queue = this.#queues.get(bidder) ?? [];
    const isFull = this.#count >= MAX_WAITING || this.#chars + url.length > MAX_WAITING_CHARS;
    if (isFull || queue.length >= MAX_WAITING_EACH) return false;
    queue.push(notice);
    this.#queues.set(bidder, queue);
    this.#count++;
    this.#chars += url.length;
    return true;
  }

  /** Takes the next notice of the bidder whose turn it is, and moves the bidder to the end. */
  next(slots: Pick<CallSlots<string>, "hasRoomFor">): WaitingNotice | undefined {
    for (const [bidder, queue] of this.#queues) {
      if (!slots.hasRoomFor(bidder)) continue;
      const notice = queue.shift();
      this.#queues.delete(bidder);
      if (queue.length > 0) this.#queues.set(bidder, queue);
      this.#count--;
      this.#chars -= notice?.url.length ?? 0;
      return notice;
    }
    return undefined;
  }

  takeAll(): WaitingNotice[] {
    const all = [...this.#queues.values()].flat();
    this.#queues.clear();
    this.#count = 0;
    this.#chars = 0;
    return all;
  }
}
