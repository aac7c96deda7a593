import type { Log } from "../../../platform/log.ts";
import { CallSlots } from "../../../platform/outbound/call-slots.ts";
import { GuardedClient } from "../../../platform/outbound/guarded-get.ts";

const LIMITS = { timeoutMs: 5000, maxBytes: 64 * 1024, maxRedirects: 3 } as const;
const MAX_AT_ONCE = 32;
const MAX_WAITING = 10_000;
const MAX_WAITING_CHARS = 16 * 2 ** 20;
/** The limits for one bidder and for all slow ones, so that slow addresses do not delay the others' billing. */
const MAX_AT_ONCE_EACH = 8;
const MAX_AT_ONCE_SLOW = 8;
const MAX_WAITING_EACH = 2000;

export type NoticeKind = "win" | "billing" | "loss";

/**
 * How a notice ended: `sent` (there was an answer), `failed` (no answer, or one that asks for a retry), `refused` (the
 * address must not be called), `dropped` (too many wait), `closed` (the platform is stopping).
 */
export type NoticeOutcome = "sent" | "failed" | "refused" | "dropped" | "closed";

interface Notice {
  kind: NoticeKind;
  url: string;
  bidder: string;
  end: (outcome: NoticeOutcome) => void;
}

/** Sends notices to bidders in the background: a few at a time, and never to an address of our own network. */
export class NoticeSender {
  readonly #client = new GuardedClient();
  readonly #originsOf: (bidder: string) => ReadonlySet<string>;
  readonly #log: Log;
  /** Non-empty queues by bidder, in the order of their turns. */
  readonly #waiting = new Map<string, Notice[]>();
  readonly #slots = new CallSlots<string>({ each: MAX_AT_ONCE_EACH, slow: MAX_AT_ONCE_SLOW });
  #waitingCount = 0;
  #waitingChars = 0;
  #isClosed = false;
  #running = 0;
  #idle: (() => void)[] = [];
  /** How notices ended, for the metrics. */
  readonly counts = { sent: 0, failed: 0, refused: 0, dropped: 0 };

  /**
   * `originsOf` gives a bidder's origins as set by the operator, which may be in our own network. A bidder's notices never
   * reach another bidder's origin.
   */
  constructor(originsOf: (bidder: string) => ReadonlySet<string>, log: Log) {
    this.#originsOf = originsOf;
    this.#log = log;
  }

  /** Sends a notice once. Resolves with the outcome and never rejects. */
  send(kind: NoticeKind, url: string, bidder: string): Promise<NoticeOutcome> {
    if (this.#isClosed) return Promise.resolve("closed");
    const waiting = this.#waiting.get(bidder) ?? [];
    // A slow bidder must not fill the memory.
    const isFull = this.#waitingCount >= MAX_WAITING || this.#waitingChars + url.length > MAX_WAITING_CHARS;
    if (isFull || waiting.length >= MAX_WAITING_EACH) {
      this.counts.dropped++;
      return Promise.resolve("dropped");
    }
    return new Promise((end) => {
      waiting.push({ kind, url, bidder, end });
      this.#waiting.set(bidder, waiting);
      this.#waitingCount++;
      this.#waitingChars += url.length;
      this.#pump();
    });
  }

  /** Resolves when no notice is waiting or being sent. */
  async drain(): Promise<void> {
    if (this.#running === 0 && this.#waitingCount === 0) return;
    await new Promise<void>((resolve) => {
      this.#idle.push(resolve);
    });
  }

  close(): void {
    this.#isClosed = true;
    const left = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#waitingCount = 0;
    this.#waitingChars = 0;
    for (const { end } of left) end("closed");
    this.#client.close();
  }

  #pump(): void {
    while (this.#running < MAX_AT_ONCE) {
      const next = this.#next();
      if (!next) break;
      this.#running++;
      void this.#run(next, this.#slots.begin(next.bidder));
    }
  }

  async #run(notice: Notice, free: () => void): Promise<void> {
    const outcome = await this.#deliver(notice);
    free();
    notice.end(this.#isClosed && outcome === "failed" ? "closed" : outcome);
    this.#running--;
    this.#pump();
    if (this.#running === 0 && this.#waitingCount === 0) for (const done of this.#idle.splice(0)) done();
  }

  /** Takes the next notice of the bidder whose turn it is, and moves the bidder to the end. */
  #next(): Notice | undefined {
    for (const [bidder, waiting] of this.#waiting) {
      if (!this.#slots.hasRoomFor(bidder)) continue;
      const notice = waiting.shift();
      this.#waiting.delete(bidder);
      if (waiting.length > 0) this.#waiting.set(bidder, waiting);
      this.#waitingCount--;
      this.#waitingChars -= notice?.url.length ?? 0;
      return notice;
    }
    return undefined;
  }

  async #deliver({ kind, url, bidder }: Notice): Promise<NoticeOutcome> {
    const result = await this.#client.get(url, { ...LIMITS, trustedOrigins: this.#originsOf(bidder) });
    if (result.ok && result.status < 500 && result.status !== 429) {
      this.counts.sent++;
      return "sent";
    }
    const reason = result.ok ? `status ${result.status}` : result.reason;
    // Log only the host, because the address contains prices.
    const host = URL.canParse(url) ? new URL(url).host : "";
    this.#log.debug({ kind, host, reason }, "a notice was not delivered");
    if (reason === "closed_address" || reason === "bad_address") {
      this.counts.refused++;
      return "refused";
    }
    this.counts.failed++;
    return "failed";
  }
}
