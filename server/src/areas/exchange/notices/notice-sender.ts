import type { Log } from "../../../platform/log.ts";
import { GuardedClient } from "../../../platform/outbound/guarded-get.ts";

const LIMITS = { timeoutMs: 5000, maxBytes: 64 * 1024, maxRedirects: 3 } as const;
const MAX_AT_ONCE = 32;
const MAX_WAITING = 10_000;
/** Of one bidder's: however slow its addresses are, the others' billing goes through. */
const MAX_AT_ONCE_EACH = 8;
const MAX_WAITING_EACH = 2000;

export type NoticeKind = "win" | "billing" | "loss";

interface Notice {
  kind: NoticeKind;
  url: string;
  bidder: string;
}

/** Sends notices to bidders beside the answers: few at once, none twice, and never to an address of our own network. */
export class NoticeSender {
  readonly #client = new GuardedClient();
  readonly #trustedOrigins: () => ReadonlySet<string>;
  readonly #log: Log;
  /** By bidder, whose turn comes first first. None of the lists is empty. */
  readonly #waiting = new Map<string, Notice[]>();
  /** How many are under way, by bidder. */
  readonly #busy = new Map<string, number>();
  #waitingCount = 0;
  #running = 0;
  #idle: (() => void)[] = [];
  /** How notices ended, for the metrics. */
  readonly counts = { sent: 0, failed: 0, refused: 0, dropped: 0 };

  constructor(trustedOrigins: () => ReadonlySet<string>, log: Log) {
    this.#trustedOrigins = trustedOrigins;
    this.#log = log;
  }

  send(kind: NoticeKind, url: string, bidder: string): void {
    const waiting = this.#waiting.get(bidder) ?? [];
    // A bidder that takes its time must not fill the memory.
    if (this.#waitingCount >= MAX_WAITING || waiting.length >= MAX_WAITING_EACH) {
      this.counts.dropped++;
      return;
    }
    waiting.push({ kind, url, bidder });
    this.#waiting.set(bidder, waiting);
    this.#waitingCount++;
    this.#pump();
  }

  /** Resolves when nothing is on its way any more. */
  async drain(): Promise<void> {
    if (this.#running === 0 && this.#waitingCount === 0) return;
    await new Promise<void>((resolve) => {
      this.#idle.push(resolve);
    });
  }

  close(): void {
    this.#waiting.clear();
    this.#waitingCount = 0;
    this.#client.close();
  }

  #pump(): void {
    while (this.#running < MAX_AT_ONCE) {
      const next = this.#next();
      if (!next) break;
      this.#running++;
      this.#busy.set(next.bidder, (this.#busy.get(next.bidder) ?? 0) + 1);
      void this.#deliver(next.kind, next.url).finally(() => {
        this.#running--;
        this.#free(next.bidder);
        this.#pump();
        if (this.#running === 0 && this.#waitingCount === 0) for (const done of this.#idle.splice(0)) done();
      });
    }
  }

  /** The next notice of the bidder whose turn it is; the bidder goes to the end of the row. */
  #next(): Notice | undefined {
    for (const [bidder, waiting] of this.#waiting) {
      if ((this.#busy.get(bidder) ?? 0) >= MAX_AT_ONCE_EACH) continue;
      const notice = waiting.shift();
      this.#waiting.delete(bidder);
      if (waiting.length > 0) this.#waiting.set(bidder, waiting);
      this.#waitingCount--;
      return notice;
    }
    return undefined;
  }

  #free(bidder: string): void {
    const left = (this.#busy.get(bidder) ?? 1) - 1;
    if (left > 0) this.#busy.set(bidder, left);
    else this.#busy.delete(bidder);
  }

  async #deliver(kind: NoticeKind, url: string): Promise<void> {
    const result = await this.#client.get(url, { ...LIMITS, trustedOrigins: this.#trustedOrigins() });
    if (result.ok) {
      this.counts.sent++;
      return;
    }
    if (result.reason === "closed_address" || result.reason === "bad_address") this.counts.refused++;
    else this.counts.failed++;
    // The address is the bidder's and carries prices: its host is enough to look for the cause.
    const host = URL.canParse(url) ? new URL(url).host : "";
    this.#log.debug({ kind, host, reason: result.reason }, "a notice was not delivered");
  }
}
