import type { Log } from "../../../platform/log.ts";
import { GuardedClient } from "../../../platform/outbound/guarded-get.ts";

const LIMITS = { timeoutMs: 5000, maxBytes: 64 * 1024, maxRedirects: 3 } as const;
const MAX_AT_ONCE = 32;
const MAX_WAITING = 10_000;

export type NoticeKind = "win" | "billing" | "loss";

/** Sends notices to bidders beside the answers: few at once, none twice, and never to an address of our own network. */
export class NoticeSender {
  readonly #client = new GuardedClient();
  readonly #trustedOrigins: () => ReadonlySet<string>;
  readonly #log: Log;
  readonly #waiting: { kind: NoticeKind; url: string }[] = [];
  #running = 0;
  #idle: (() => void)[] = [];
  /** How notices ended, for the metrics. */
  readonly counts = { sent: 0, failed: 0, refused: 0, dropped: 0 };

  constructor(trustedOrigins: () => ReadonlySet<string>, log: Log) {
    this.#trustedOrigins = trustedOrigins;
    this.#log = log;
  }

  send(kind: NoticeKind, url: string): void {
    // A bidder that takes its time must not fill the memory.
    if (this.#waiting.length >= MAX_WAITING) {
      this.counts.dropped++;
      return;
    }
    this.#waiting.push({ kind, url });
    this.#pump();
  }

  /** Resolves when nothing is on its way any more. */
  async drain(): Promise<void> {
    if (this.#running === 0 && this.#waiting.length === 0) return;
    await new Promise<void>((resolve) => {
      this.#idle.push(resolve);
    });
  }

  close(): void {
    this.#waiting.length = 0;
    this.#client.close();
  }

  #pump(): void {
    while (this.#running < MAX_AT_ONCE) {
      const next = this.#waiting.shift();
      if (!next) break;
      this.#running++;
      void this.#deliver(next.kind, next.url).finally(() => {
        this.#running--;
        this.#pump();
        if (this.#running === 0 && this.#waiting.length === 0) for (const done of this.#idle.splice(0)) done();
      });
    }
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
