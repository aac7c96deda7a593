import { dayOf } from "@millrace/units";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { BudgetState } from "./budget-state.ts";
import type { BudgetStore, LeaseRequest, SpendAnswer, SpendGroup } from "./budget-store.ts";
import { type Hold, LEASE_LIFE_MS, LONGEST_HOLD_MS, type NoHold, type Spent } from "./budgets.ts";
import { CampaignLeases } from "./campaign-leases.ts";
import type { Lease } from "./lease.ts";

const RETURNING_MS = 5000;
/** What is spent is asked again after this long, because other processes spend too. */
const LOOK_AGAIN_MS = 10_000;
const FORGOTTEN_MS = 3_600_000;
const MOST_AT_ONCE = 500;

interface Deps {
  store: Pick<BudgetStore, "lease" | "shrink">;
  /** This process's name, with which its leases' ids begin. */
  process: string;
  clock: Clock;
  log: Log;
  look(campaignIds: readonly number[]): Promise<ReadonlyMap<number, BudgetState>>;
}

/** Asks for leases in the background, gives holds from them, and returns what is not held. */
export class LeaseKeeper {
  readonly #deps: Deps;
  readonly #campaigns = new Map<number, CampaignLeases>();
  /** By id, until the store knows that nothing of them is held. */
  readonly #leases = new Map<string, Lease>();
  #requests: { campaign: CampaignLeases; request: LeaseRequest; version: number }[] = [];
  readonly #looks = new Set<number>();
  #leasing: Promise<void> | undefined;
  #returning: Promise<void> | undefined;
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #count = 0;
  #isStopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => void this.returnUnheld(), RETURNING_MS);
    this.#timer.unref();
  }

  /** Returns everything that is not held. What is held can still be billed, by any process. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#leasing;
    await this.#looking;
    await this.#returning;
    for (const lease of this.#leases.values()) lease.close();
    await this.returnUnheld();
  }

  hold(campaignId: number, micros: number, expiresAtMs: number): Hold | NoHold {
    const now = this.#deps.clock.now();
    if (!Number.isSafeInteger(micros) || micros <= 0) throw new RangeError("micros must be a positive integer");
    const campaign = this.#campaign(campaignId);
    const hold = campaign.hold(micros, Math.min(expiresAtMs, now + LONGEST_HOLD_MS), now);
    if (campaign.needsLease(now)) this.#requestLease(campaign);
    return hold ?? campaign.noHold;
  }

  spentOf(campaignId: number): Spent | undefined {
    const now = this.#deps.clock.now();
    const campaign = this.#campaign(campaignId);
    campaign.usedAtMs = now;
    if (now - campaign.heardAtMs >= LOOK_AGAIN_MS) this.#look(campaignId);
    return campaign.spentOf(now);
  }

  onSpent({ campaignId, leaseId, micros, count }: SpendGroup, answer: SpendAnswer, day: string): void {
    const now = this.#deps.clock.now();
    const lease = this.#leases.get(leaseId);
    // Whether it was billed or not, nothing is held for it any more.
    if (count > 0) lease?.spent(micros * count);
    // What was taken back is sent again.
    else lease?.heldAgain(-micros * answer.billed, now + LONGEST_HOLD_MS);
    this.#campaigns.get(campaignId)?.learn(answer, day, now);
  }

  spentElsewhere(leaseId: string, micros: number): void {
    this.#leases.get(leaseId)?.spent(micros);
  }

  changed(campaignId: number): void {
    const campaign = this.#campaigns.get(campaignId);
    if (!campaign) return;
    campaign.changed();
    // A running request is repeated when its answer comes.
    if (!campaign.isRequested) void this.#renew(campaign);
  }

  allChanged(): void {
    for (const id of this.#campaigns.keys()) this.changed(id);
  }

  /** Asks once its old leases are returned, which may be all that is left of its budget. */
  async #renew(campaign: CampaignLeases): Promise<void> {
    campaign.isRequested = true;
    await this.#returning;
    await this.returnUnheld();
    campaign.isRequested = false;
    if (campaign.needsLease(this.#deps.clock.now())) this.#requestLease(campaign);
  }

  accountChanged(accountId: number): void {
    for (const campaign of this.#campaigns.values()) if (campaign.accountId === accountId) this.changed(campaign.id);
  }

  #campaign(id: number): CampaignLeases {
    let campaign = this.#campaigns.get(id);
    if (!campaign) this.#campaigns.set(id, (campaign = new CampaignLeases(id)));
    return campaign;
  }

  #requestLease(campaign: CampaignLeases): void {
    if (this.#isStopped) return;
    const request = campaign.leaseRequest(`${this.#deps.process}-${(this.#count += 1)}`, this.#deps.clock.now());
    this.#requests.push({ campaign, request, version: campaign.version });
    // Not within the caller's turn: campaigns that ask in the same one share a transaction.
    this.#leasing ??= Promise.resolve().then(() => this.#lease());
  }

  async #lease(): Promise<void> {
    const { store, clock, log } = this.#deps;
    while (this.#requests.length > 0) {
      const requests = this.#requests.splice(0, MOST_AT_ONCE);
      const sentAtMs = clock.now();
      try {
        const answers = await store.lease(
          requests.map(({ request }) => request),
          LEASE_LIFE_MS,
        );
        const now = clock.now();
        for (const [index, { campaign, request, version }] of requests.entries()) {
          const answer = answers[index];
          if (!answer) continue;
          const lease = campaign.takeAnswer(answer, request.leaseId, sentAtMs, now);
          if (lease) this.#leases.set(lease.id, lease);
          // The limits have changed since the request.
          if (campaign.version !== version) this.changed(campaign.id);
        }
      } catch (error) {
        log.warn({ err: error }, "no leases on budgets: PostgreSQL does not answer");
        for (const { campaign } of requests) campaign.failed(clock.now());
      }
    }
    this.#leasing = undefined;
  }

  /** Tells the store what is still held of the leases that give no more holds. */
  returnUnheld(): Promise<void> {
    return (this.#returning ??= this.#return().finally(() => (this.#returning = undefined)));
  }

  async #return(): Promise<void> {
    const { store, clock, log } = this.#deps;
    const now = clock.now();
    const news = [...this.#leases.values()].flatMap((lease) => {
      const heldMicros = lease.newsOfHeld(now);
      return heldMicros === null ? [] : [{ lease, leaseId: lease.id, heldMicros }];
    });
    try {
      for (let from = 0; from < news.length; from += MOST_AT_ONCE) {
        const some = news.slice(from, from + MOST_AT_ONCE);
        await store.shrink(some);
        for (const { lease, heldMicros } of some) {
          lease.noteReported(heldMicros);
          if (heldMicros === 0) this.#leases.delete(lease.id);
        }
      }
    } catch (error) {
      log.warn({ err: error }, "unused budget is not returned: PostgreSQL does not answer");
    }
    for (const [id, { usedAtMs }] of this.#campaigns) if (now - usedAtMs > FORGOTTEN_MS) this.#campaigns.delete(id);
  }

  #look(campaignId: number): void {
    if (this.#isStopped) return;
    this.#looks.add(campaignId);
    this.#looking ??= Promise.resolve().then(() => this.#lookAtAll());
  }

  async #lookAtAll(): Promise<void> {
    const { look, clock, log } = this.#deps;
    const ids = [...this.#looks];
    this.#looks.clear();
    try {
      const states = await look(ids);
      const now = clock.now();
      for (const id of ids) {
        const state = states.get(id);
        this.#campaigns.get(id)?.learn(state ?? { todayMicros: 0, totalMicros: 0 }, dayOf(now), now);
      }
    } catch (error) {
      log.warn({ err: error }, "the spend of campaigns is not known: PostgreSQL does not answer");
    }
    this.#looking = undefined;
  }
}
