import { urlOf } from "@millrace/openrtb";
import type { Log } from "../../../platform/log.ts";
import { CallSlots } from "../../../platform/outbound/call-slots.ts";
import { GuardedClient } from "../../../platform/outbound/guarded-get.ts";
import { type NoticeKind, type NoticeOutcome, type WaitingNotice, WaitingNotices } from "./waiting-notices.ts";

const LIMITS = { timeoutMs: 5000, maxBytes: 64 * 1024, maxRedirects: 3 } as const;
/** A process that sells some hundred ads a second to bidders far away has as many notices on their way. */
const MAX_AT_ONCE = 256;
/** The limits for one bidder and for all slow ones, so that slow addresses do not delay the others' billing. */
const MAX_AT_ONCE_EACH = 64;
const MAX_AT_ONCE_SLOW = 64;

export type { NoticeKind, NoticeOutcome } from "./waiting-notices.ts";

/** Sends notices to bidders in the background: a limited number at a time, and never to an address of our own network. */
export class NoticeSender {
  readonly #client = new GuardedClient({ maxSockets: MAX_AT_ONCE_EACH });
  readonly #originsOf: (bidder: string) => ReadonlySet<string>;
  readonly #log: Log;
  /**
   * Bidders bill by win and billing notices, so these go first. Each auction has many more losses, which may fill their own
   * places only.
   */
  readonly #ofMoney = new WaitingNotices();
  readonly #losses = new WaitingNotices();
  readonly #slots = new CallSlots<string>({ each: MAX_AT_ONCE_EACH, slow: MAX_AT_ONCE_SLOW });
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
    const waiting = kind === "loss" ? this.#losses : this.#ofMoney;
    return new Promise((end) => {
      if (waiting.add({ kind, url, bidder, end })) {
        this.#pump();
        return;
      }
      this.counts.dropped++;
      end("dropped");
    });
  }

  /** Resolves when no notice is waiting or being sent. */
  async drain(): Promise<void> {
    if (this.#isIdle) return;
    await new Promise<void>((resolve) => {
      this.#idle.push(resolve);
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const { end } of [...this.#ofMoney.takeAll(), ...this.#losses.takeAll()]) end("closed");
    this.#client.close();
  }

  #pump(): void {
    while (this.#running < MAX_AT_ONCE) {
      const next = this.#ofMoney.next(this.#slots) ?? this.#losses.next(this.#slots);
      if (!next) break;
      this.#running++;
      void this.#run(next, this.#slots.begin(next.bidder));
    }
  }

  async #run(notice: WaitingNotice, free: () => void): Promise<void> {
    const outcome = await this.#deliver(notice);
    free();
    notice.end(this.#isClosed && outcome === "failed" ? "closed" : outcome);
    this.#running--;
    this.#pump();
    if (this.#isIdle) for (const done of this.#idle.splice(0)) done();
  }

  get #isIdle(): boolean {
    return this.#running === 0 && this.#ofMoney.count + this.#losses.count === 0;
  }

  async #deliver({ kind, url, bidder }: WaitingNotice): Promise<NoticeOutcome> {
    const result = await this.#client.get(url, { ...LIMITS, trustedOrigins: this.#originsOf(bidder) });
    if (result.ok && result.status < 500 && result.status !== 429) {
      this.counts.sent++;
      return "sent";
    }
    const reason = result.ok ? `status ${result.status}` : result.reason;
    // Log only the host, because the address contains prices.
    const host = urlOf(url)?.host ?? "";
    this.#log.debug({ kind, host, reason }, "a notice was not delivered");
    if (reason === "closed_address" || reason === "bad_address") {
      this.counts.refused++;
      return "refused";
    }
    this.counts.failed++;
    return "failed";
  }
}
