import type { CallbackOutcome } from "@millrace/contract";
import { DAY_MS, HOUR_MS } from "@millrace/units";
import type { Pool } from "pg";
import type { Clock } from "../../platform/clock.ts";
import { DueWork } from "../../platform/due-work.ts";
import type { Log } from "../../platform/log.ts";
import { CallSlots } from "../../platform/outbound/call-slots.ts";
import { GuardedClient } from "../../platform/outbound/guarded-get.ts";
import { type DueCallback, endTry, forgetCallbacks, giveUp, takeDue } from "./callback-store.ts";

const LIMITS = { timeoutMs: 5000, maxBytes: 16 * 1024, maxRedirects: 0 } as const;
const AT_ONCE = 32;
const PER_APP = 8;
/** To all servers together that were slow lately. */
const SLOW = 8;
/** Longer than a try. */
const LEASE_MS = 30_000;
const LOOK_MS = 2000;
const FIRST_RETRY_MS = 5000;
const LONGEST_RETRY_MS = HOUR_MS;
/** A server that has been away for a day has lost the reward. */
const GIVE_UP_MS = DAY_MS;
/** Given up by one statement. */
const GIVE_UP_AT_ONCE = 1000;
/** Longer than a beacon is valid, so that no reward is taken twice. */
const KEPT_MS = 3 * DAY_MS;

interface SenderDeps {
  pool: Pool;
  clock: Clock;
  log: Log;
  /** Origins that may be in a private network. */
  trustedOrigins: ReadonlySet<string>;
}

/** When a callback that has failed `tries` times is sent again: after 5 s, then twice as long each time, up to an hour. */
export const retryAfterMs = (tries: number): number => Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (tries - 1));

export const isDelivered = (outcome: CallbackOutcome): boolean =>
  typeof outcome === "number" && outcome >= 200 && outcome < 300;

/** Sends stored callbacks until the publisher's server answers with a status from 200 to 299, for up to a day. */
export class CallbackSender {
  readonly #client = new GuardedClient();
  /** Anybody can send as many tests as they like: they must take no connection from earned rewards. */
  readonly #testClient = new GuardedClient();
  readonly #deps: SenderDeps;
  readonly #work: DueWork<DueCallback>;
  /** By app. */
  readonly #slots = new CallSlots<number>({ each: PER_APP, slow: SLOW });
  #timers: NodeJS.Timeout[] = [];
  #isGivingUp = false;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    const { pool, clock, log } = deps;
    this.#work = new DueWork({
      atOnce: AT_ONCE,
      lookMs: LOOK_MS,
      take: (limit) => {
        const { full, slow, leftForSlow } = this.#slots;
        const now = clock.now();
        const times = { now: new Date(now), earnedAfter: new Date(now - GIVE_UP_MS), leaseMs: LEASE_MS };
        return takeDue(pool, { ...times, limit, perApp: PER_APP, full, slow, leftForSlow });
      },
      run: (callback) => this.#run(callback),
      onError: (error) =>
        log.warn({ err: error }, "callbacks for rewards cannot be read or stored; they are sent later"),
    });
  }

  start(): void {
    this.#timers = [
      setInterval(() => void this.#forget(), HOUR_MS).unref(),
      setInterval(() => void this.#giveUp(), LOOK_MS).unref(),
    ];
    this.#work.start();
    void this.#giveUp();
  }

  /** Sends what is due now. */
  ring(): void {
    this.#work.ring();
  }

  /** Calls an address once, for a test. */
  test(url: string): Promise<CallbackOutcome> {
    return this.#call(this.#testClient, url);
  }

  /** Callbacks that are not delivered by then are sent after the next start. */
  async stop(graceMs = 1000): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#work.stop(graceMs);
    this.#client.close();
    this.#testClient.close();
  }

  async #run(callback: DueCallback): Promise<void> {
    const free = this.#slots.begin(callback.appId);
    const outcome = await this.#call(this.#client, callback.url);
    free();
    await this.#end(callback, outcome);
  }

  async #call(client: GuardedClient, url: string): Promise<CallbackOutcome> {
    const result = await client.get(url, { ...LIMITS, trustedOrigins: this.#deps.trustedOrigins });
    return result.ok ? result.status : result.reason;
  }

  async #end({ transactionId, appId, tries, earnedAt }: DueCallback, outcome: CallbackOutcome): Promise<void> {
    const { pool, clock, log } = this.#deps;
    // What fails because this process stops is sent after the lease.
    if (this.#work.isStopped && !isDelivered(outcome)) return;
    const now = clock.now();
    const isOver = now - earnedAt.getTime() >= GIVE_UP_MS;
    const state = isDelivered(outcome) ? "delivered" : isOver ? "failed" : "waiting";
    // The address names a user and a server of the publisher's.
    if (state !== "delivered") log.debug({ app: appId, outcome, state }, "a callback for a reward was not delivered");
    const nextAt = new Date(state === "waiting" ? now + retryAfterMs(tries) : now);
    try {
      await endTry(pool, transactionId, { outcome: String(outcome), state, nextAt });
    } catch (error) {
      log.warn({ err: error }, "the end of a callback for a reward could not be stored; it is sent again");
    }
  }

  /** What is left when its day is over fails without a try: slow servers may have more callbacks than they get tries. */
  async #giveUp(): Promise<void> {
    if (this.#isGivingUp) return;
    this.#isGivingUp = true;
    const { pool, clock, log } = this.#deps;
    // A try that began within the day has ended by then.
    const earnedBy = new Date(clock.now() - GIVE_UP_MS - LEASE_MS);
    try {
      let count: number;
      do {
        count = await giveUp(pool, { earnedBy, afterMs: GIVE_UP_MS, limit: GIVE_UP_AT_ONCE });
        if (count > 0) log.debug({ count }, "callbacks for rewards were given up when their day was over");
      } while (count === GIVE_UP_AT_ONCE && !this.#work.isStopped);
    } catch (error) {
      log.warn({ err: error }, "could not give up overdue callbacks for rewards");
    } finally {
      this.#isGivingUp = false;
    }
  }

  async #forget(): Promise<void> {
    const { pool, clock, log } = this.#deps;
    try {
      await forgetCallbacks(pool, new Date(clock.now() - KEPT_MS));
    } catch (error) {
      log.warn({ err: error }, "ended callbacks for rewards could not be deleted");
    }
  }
}
