import { type CallbackOutcome, IMPRESSIONS_PER_DELIVERY, type RevenueDelivery } from "@millrace/contract";
import { DAY_MS } from "@millrace/units";
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Clock } from "../../platform/clock.ts";
import { DueWork } from "../../platform/due-work.ts";
import type { Log } from "../../platform/log.ts";
import { GuardedClient } from "../../platform/outbound/guarded-get.ts";
import { isDelivered, retryAfterMs, type RewardKey } from "../rewards/index.ts";
import { placeAt, type StoredImpression, type StoredImpressions, type StoredPlace } from "../statistics/index.ts";
import { deliveryOf, signedPost } from "./delivery.ts";
import {
  type DueWebhook,
  dueWithoutDelivery,
  endDelivery,
  failTry,
  openDelivery,
  passOver,
  takeDue,
} from "./webhook-store.ts";

const LIMITS = { timeoutMs: 10_000, maxBytes: 16 * 1024 } as const;
/** A receiver has one call at a time. */
const AT_ONCE = 16;
const LOOK_MS = 5000;
/** Their ids are part of a query's address. */
const MOST_LOOKED_AT = 500;
/** Longer than reading and sending take. */
const LEASE_MS = 120_000;
/** What could not be delivered for so long is given up. */
const GIVE_UP_MS = 3 * DAY_MS;

interface WebhookDeps {
  pool: Pool;
  clock: Clock;
  log: Log;
  stored: StoredImpressions;
  key: RewardKey;
  /** Addresses may be in a private network. */
  demo: boolean;
  /** How often due webhooks are looked for. */
  lookMs?: number | undefined;
}

/** Posts each app's impressions in the order in which they were stored, a page at a time, until the receiver has taken them. */
export class WebhookSender {
  readonly #client = new GuardedClient();
  /** Anybody can send as many tests as they like: they must take no connection from deliveries. */
  readonly #testClient = new GuardedClient();
  readonly #deps: WebhookDeps;
  readonly #work: DueWork<DueWebhook>;
  readonly #lookMs: number;

  constructor(deps: WebhookDeps) {
    this.#deps = deps;
    this.#lookMs = deps.lookMs ?? LOOK_MS;
    this.#work = new DueWork({
      atOnce: AT_ONCE,
      lookMs: this.#lookMs,
      take: (limit) => this.#take(limit),
      run: (webhook) => this.#run(webhook),
      onError: (error) =>
        deps.log.warn({ err: error }, "webhooks for revenue cannot be read; impressions are sent later"),
    });
  }

  start(): void {
    this.#work.start();
  }

  /** Sends what is due now. */
  ring(): void {
    this.#work.ring();
  }

  /** What is not delivered by then is sent after the next start. */
  async stop(graceMs = 1000): Promise<void> {
    await this.#work.stop(graceMs);
    this.#client.close();
    this.#testClient.close();
  }

  /** Posts a delivery once, for a test. */
  test(url: string, delivery: RevenueDelivery): Promise<CallbackOutcome> {
    return this.#post(this.#testClient, url, delivery);
  }

  async #post(client: GuardedClient, url: string, delivery: RevenueDelivery): Promise<CallbackOutcome> {
    const { demo, key } = this.#deps;
    const trustedOrigins = new Set(demo ? [new URL(url).origin] : []);
    const result = await client.post(url, { ...LIMITS, trustedOrigins }, signedPost(key, delivery));
    return result.ok ? result.status : result.reason;
  }

  /** One query finds the apps with something new: most have nothing, and each of theirs would cost as much. */
  async #take(limit: number): Promise<DueWebhook[]> {
    const { pool, clock, stored } = this.#deps;
    const now = new Date(clock.now());
    const due = await dueWithoutDelivery(pool, { now, limit: MOST_LOOKED_AT });
    if (due.length > 0) {
      const untilMs = await stored.until();
      const fromMs = Math.min(...due.map(({ place }) => place.storedMs));
      const apps = due.map(({ appId }) => appId);
      const busy = await stored.appsWithAny(apps, { fromMs, untilMs });
      const idle = due.filter(({ appId }) => !busy.has(appId));
      await passOver(pool, idle, { to: placeAt(untilMs), nextAt: new Date(clock.now() + this.#lookMs) });
    }
    return takeDue(pool, { now, limit, leaseMs: LEASE_MS });
  }

  async #run(webhook: DueWebhook): Promise<void> {
    try {
      await this.#deliver(webhook);
    } catch (error) {
      const app = webhook.appId;
      this.#deps.log.warn({ err: error, app }, "a delivery of revenue could not be read or stored; it is sent later");
    }
  }

  async #deliver(webhook: DueWebhook): Promise<void> {
    const { pool, clock, stored } = this.#deps;
    const { appId, place } = webhook;
    const until = webhook.open?.until ?? placeAt(await stored.until());
    const page = await stored.page({ appId, after: place, until, rows: IMPRESSIONS_PER_DELIVERY });
    const now = clock.now();
    const last = page.at(-1);
    if (last === undefined) {
      // Raw rows of a delivery that has waited for long may be gone.
      if (webhook.open) await endDelivery(pool, appId, webhook.open.id, { ...nothing(now), place: until });
      else await passOver(pool, [webhook], { to: until, nextAt: new Date(now + this.#lookMs) });
      return;
    }
    const open = webhook.open ?? { id: randomUUID(), until: placeOf(last), madeAt: new Date(now) };
    if (!webhook.open && !(await openDelivery(pool, webhook, open))) return;
    const outcome = await this.#post(this.#client, webhook.url, deliveryOf(webhook.uuid, open, page));
    if (isDelivered(outcome)) {
      const nextMs = page.length < IMPRESSIONS_PER_DELIVERY ? this.#lookMs : 0;
      const at = clock.now();
      const end = { ...nothing(at), place: placeOf(last), delivered: page.length, nextAt: new Date(at + nextMs) };
      await endDelivery(pool, appId, open.id, end);
      return;
    }
    // What fails because this process stops is sent after the lease.
    if (!this.#work.isStopped) await this.#fail(webhook, open.id, { outcome, page });
  }

  async #fail(
    { appId, place, tries }: DueWebhook,
    id: string,
    { outcome, page }: { outcome: CallbackOutcome; page: readonly StoredImpression[] },
  ): Promise<void> {
    const { pool, clock, log, stored } = this.#deps;
    const at = clock.now();
    log.debug({ app: appId, outcome, tries }, "a delivery of revenue failed");
    const nextAt = new Date(at + retryAfterMs(tries + 1));
    await failTry(pool, appId, id, { outcome: String(outcome), at: new Date(at), nextAt });
    const oldestMs = page[0]?.storedMs ?? at;
    if (at - oldestMs < GIVE_UP_MS) return;
    // Everything that is as old, not this delivery alone: the others would each wait for a try of their own.
    const last = page.at(-1);
    const aged = placeAt(at - GIVE_UP_MS);
    const until = last && last.storedMs > aged.storedMs ? placeOf(last) : aged;
    const { impressions } = await stored.count({ appId, after: place, until });
    await endDelivery(pool, appId, id, { ...nothing(at), place: until, givenUp: impressions, nextAt });
  }
}

const placeOf = ({ storedMs, atMs, eventId }: StoredImpression): StoredPlace => ({ storedMs, atMs, eventId });

/** The end of a delivery of which nothing came. */
const nothing = (nowMs: number) => ({ delivered: 0, givenUp: 0, at: new Date(nowMs), nextAt: new Date(nowMs) });
