import { addDays } from "@millrace/units";
import type { Sale } from "../../booked-sales.ts";

/** Who takes part. */
export interface Cast {
  /** The apps of each publisher's account. */
  publishers: readonly { accountId: number; apps: readonly number[] }[];
  advertiser: number;
  campaigns: readonly number[];
  /** The user who acts for the platform. */
  adminId: number;
}

export interface ExpectedDeduction {
  uuid: string;
  key: string;
  accountId: number;
  appId: number;
  provider: string | null;
  day: string;
  micros: bigint;
  state: "noted" | "disputed" | "upheld" | "reversed";
  until: string;
}

export type PayoutState = "due" | "sending" | "sent" | "paid" | "rejected";
export interface ExpectedPayout {
  id: string;
  accountId: number;
  month: string;
  amount: string;
  state: PayoutState;
}

export const monthOf = (day: string): string => day.slice(0, 7);
export const keyOf = ({ day, appId, provider, campaignId }: Omit<Sale, "grossMicros" | "revenueMicros">): string =>
  [day, appId, provider, campaignId].join(" ");
const sumOf = (values: Iterable<bigint>): bigint => [...values].reduce((sum, value) => sum + value, 0n);
const nothing = (sale: Sale): Sale => ({ ...sale, grossMicros: 0n, revenueMicros: 0n });

const MICROS_PER_CENT = 10_000n;
const PAYOUT_DAY = 15;
export const MINIMUM_MICROS = 1_000_000;

/**
 * What the books must say, kept by rules of its own that share no code with the ledger's: it moves with every command, and
 * every figure of the platform is compared with it.
 */
export class ExpectedBooks {
  readonly cast: Cast;
  today = "2026-03-20";
  /** What happened, and what of it is booked, by day, app, provider and campaign. */
  readonly events = new Map<string, Sale>();
  readonly booked = new Map<string, Sale>();
  /** When something was last booked of a day. */
  readonly bookedOn = new Map<string, string>();
  /** Impressions that an exchange has billed and not brought yet. */
  lost: Sale[] = [];
  /** Changes of publishers' balances, and the day of the traffic that they are about, if of any. */
  readonly movements: { accountId: number; onDay: string; forDay: string; micros: bigint }[] = [];
  readonly closed = new Set<string>();
  /** With the day of the last change. */
  readonly payouts = new Map<string, ExpectedPayout & { changedOn: string }>();
  readonly deductions: ExpectedDeduction[] = [];
  /** By key: what was asked with it. */
  readonly refills = new Map<string, string>();
  readonly adjustments = new Map<string, string>();
  refilled = 0n;
  /** By key: what was credited to the advertiser, or taken back of that. */
  readonly credits = new Map<string, bigint>();
  /** What campaigns have spent and got back, by campaign and day. */
  readonly spent = new Map<string, bigint>();
  readonly returned = new Map<string, bigint>();
  /** Differences that the last count found, by day, account and kind, and those of them that an admin has accepted as they are. */
  readonly drifts = new Map<string, string>();
  readonly accepted = new Map<string, string>();
  /** What partners stated last, by day, app and partner, and what is booked of it, also by month. */
  readonly stated = new Map<string, { impressions: number; micros: bigint }>();
  readonly settled = new Map<string, bigint>();
  /** Digests of closed months, once they are closed. */
  readonly closedDigests = new Map<string, string>();
  /** The last posting that was seen, and the digest of all up to it. */
  lastSeen = "0";
  digest: string | null = null;
  /** What was given back and then proven after all. */
  takenBack = 0n;
  constructor(cast: Cast) {
    this.cast = cast;
  }

  ownerOf(appId: number): number {
    return this.cast.publishers.find(({ apps }) => apps.includes(appId))?.accountId ?? 0;
  }

  move(accountId: number, micros: bigint, { onDay = this.today, forDay = "" } = {}): void {
    if (micros !== 0n) this.movements.push({ accountId, onDay, forDay, micros });
  }

  /** A publisher's balance: all of it, or what counts before a day or is about an earlier one. */
  balanceOf(accountId: number, before = "9999", by: "onDay" | "forDay" = "onDay"): bigint {
    const own = this.movements.filter((one) => one.accountId === accountId && one[by] < before);
    return sumOf(own.map(({ micros }) => micros));
  }

  credited(): bigint {
    return sumOf(this.credits.values());
  }

  campaignBalance(): bigint {
    return this.refilled + this.credited() + sumOf(this.returned.values()) - sumOf(this.spent.values());
  }

  happen(sale: Sale): void {
    const was = this.events.get(keyOf(sale));
    this.events.set(keyOf(sale), {
      ...sale,
      grossMicros: sale.grossMicros + (was?.grossMicros ?? 0n),
      revenueMicros: sale.revenueMicros + (was?.revenueMicros ?? 0n),
    });
  }

  /** What is not booked yet of days that are over, in a range; what was booked and lost since then stays booked. */
  differences(ds = "0000", de = "9999"): Sale[] {
    return [...new Set([...this.events.keys(), ...this.booked.keys()])].flatMap((key) => {
      const [is, was] = [this.events.get(key), this.booked.get(key)];
      const sale = is ?? was;
      if (!sale || sale.day >= this.today || sale.day < ds || sale.day > de) return [];
      const [now, then] = [is ?? nothing(sale), was ?? nothing(sale)];
      const [grossMicros, revenueMicros] = [now.grossMicros - then.grossMicros, now.revenueMicros - then.revenueMicros];
      if (grossMicros < 0n || revenueMicros < 0n) return [];
      return grossMicros === 0n && revenueMicros === 0n ? [] : [{ ...sale, grossMicros, revenueMicros }];
    });
  }

  /** Books a difference, today if its month is closed. */
  book(difference: Sale): void {
    const { day, appId, revenueMicros, grossMicros } = difference;
    const was = this.booked.get(keyOf(difference)) ?? nothing(difference);
    this.booked.set(keyOf(difference), {
      ...was,
      grossMicros: was.grossMicros + grossMicros,
      revenueMicros: was.revenueMicros + revenueMicros,
    });
    this.bookedOn.set(day, this.today);
    const onDay = this.closed.has(monthOf(day)) ? this.today : day;
    this.move(this.ownerOf(appId), revenueMicros, { onDay, forDay: day });
  }

  /** By day and publisher: each is one posting. */
  postingsOf(differences: readonly Sale[]): Set<string> {
    return new Set(differences.map(({ day, appId }) => `${day} ${this.ownerOf(appId)}`));
  }

  /** What can still be deducted of an app's day: of a provider, but never more than of all of them together. */
  leftOf(appId: number, day: string, provider: string | null): bigint {
    const left = (of: string | null): bigint =>
      sumOf(
        [...this.booked.values()]
          .filter((sale) => sale.appId === appId && sale.day === day && (of === null || sale.provider === of))
          .map(({ revenueMicros }) => revenueMicros),
      ) -
      sumOf(
        this.deductions
          .filter((one) => one.appId === appId && one.day === day && one.state !== "reversed")
          .filter((one) => of === null || one.provider === of)
          .map(({ micros }) => micros),
      );
    const least = [left(null), left(provider)].toSorted((one, other) => (one < other ? -1 : 1))[0] ?? 0n;
    return least > 0n ? least : 0n;
  }

  /** Spend of a campaign's day that no booked impression proves, with what was given back already: of days that are of late, or booked of late. */
  unproven(): { key: string; campaignId: number; day: string; micros: bigint }[] {
    return [...this.spent].flatMap(([key, spent]) => {
      const [campaign = "", day = ""] = key.split(" ");
      const campaignId = Number(campaign);
      const lookedAt = [day, this.bookedOn.get(day) ?? ""].some((last) => last >= addDays(this.today, -30));
      if (day > addDays(this.today, -7) || !lookedAt) return [];
      const proven = sumOf(
        [...this.booked.values()]
          .filter((sale) => sale.campaignId === campaignId && sale.day === day)
          .map(({ grossMicros }) => grossMicros),
      );
      const micros = spent - proven - (this.returned.get(key) ?? 0n);
      return micros === 0n ? [] : [{ key, campaignId, day, micros }];
    });
  }

  /** Books what partners state more or less than is booked of their days: in the day's month, or today if it is closed. */
  settle(isMeant: (cell: string) => boolean): void {
    for (const [cell, { micros }] of this.stated) {
      if (!isMeant(cell)) continue;
      const [day = ""] = cell.split(" ");
      const earned = this.booked.get(`${cell} 0`)?.grossMicros ?? 0n;
      const settled = sumOf([...this.settled].flatMap(([key, part]) => (key.endsWith(` ${cell}`) ? [part] : [])));
      const key = `${monthOf(this.closed.has(monthOf(day)) ? this.today : day)} ${cell}`;
      this.settled.set(key, (this.settled.get(key) ?? 0n) + micros - earned - settled);
    }
  }

  /** The month that a run pays today. */
  monthToPay(): string {
    const last = monthOf(addDays(`${monthOf(this.today)}-01`, -1));
    return Number(this.today.slice(8)) >= PAYOUT_DAY ? last : monthOf(addDays(`${last}-01`, -1));
  }

  /** What a run must pay now, by account; `methods` are the accounts with payout details. */
  payable(methods: ReadonlySet<number>): Map<number, bigint> {
    const month = this.monthToPay();
    const after = `${monthOf(addDays(`${month}-28`, 4))}-01`;
    return new Map(
      this.cast.publishers.flatMap(({ accountId }) => {
        const [atEnd, ofItsDays] = [this.balanceOf(accountId, after), this.balanceOf(accountId, after, "forDay")];
        const all = [this.balanceOf(accountId), atEnd, ofItsDays];
        const [owed = 0n] = all.toSorted((one, other) => (one < other ? -1 : 1));
        const whole = owed - (owed % MICROS_PER_CENT);
        const isPaid = [...this.payouts.values()].some((one) => one.accountId === accountId && one.month === month);
        const drifts = [...this.drifts.keys()].some((key) => {
          const [day = "", account] = key.split(" ");
          return Number(account) === accountId && day < after && !this.accepted.has(key);
        });
        if (isPaid || drifts || !methods.has(accountId) || whole < BigInt(MINIMUM_MICROS)) return [];
        return [[accountId, whole]];
      }),
    );
  }

  /** The nightly count of the last 30 days. A difference of an earlier one stays, unless it is of spend, which is kept for good. */
  count(): void {
    const first = addDays(this.today, -30);
    const now = this.driftsNow(first, new Set([...this.drifts.keys()].map((key) => key.slice(0, first.length))));
    for (const key of this.drifts.keys()) if (key >= first || key.endsWith(" spend")) this.drifts.delete(key);
    for (const [key, sums] of now) this.drifts.set(key, sums);
    for (const [key, sums] of this.accepted) if (this.drifts.get(key) !== sums) this.accepted.delete(key);
  }

  /** What is sold and not booked from a day on, and spend that is neither, also of other days. */
  private driftsNow(ds: string, others: ReadonlySet<string>): Map<string, string> {
    const last = addDays(this.today, -1);
    const sums = new Map<string, [bigint, bigint]>();
    const add = (key: string, counted: bigint, booked: bigint) => {
      const [was, had] = sums.get(key) ?? [0n, 0n];
      sums.set(key, [was + counted, had + booked]);
    };
    const each = (sales: Iterable<Sale>, isCounted: boolean) => {
      for (const { day, appId, campaignId, grossMicros, revenueMicros } of sales) {
        if (day < ds || day > last) continue;
        const sides = (micros: bigint): [bigint, bigint] => (isCounted ? [micros, 0n] : [0n, micros]);
        add(`${day} ${this.ownerOf(appId)} revenue`, ...sides(revenueMicros));
        add(`${day} ${this.ownerOf(appId)} gross`, ...sides(grossMicros));
        if (campaignId > 0) add(`${day} ${this.cast.advertiser} costs`, ...sides(grossMicros));
      }
    };
    each(this.events.values(), true);
    each(this.booked.values(), false);
    const addSpend = (key: string, spent: bigint, booked: bigint) => {
      const [, day = ""] = key.split(" ");
      if ((day >= ds || others.has(day)) && day <= addDays(this.today, -7))
        add(`${day} ${this.cast.advertiser} spend`, spent, booked);
    };
    for (const [key, micros] of this.spent) addSpend(key, micros, 0n);
    for (const [key, micros] of this.returned) addSpend(key, 0n, micros);
    for (const { campaignId, day, grossMicros } of this.booked.values())
      if (campaignId > 0) addSpend(`${campaignId} ${day}`, 0n, grossMicros);
    return new Map(
      [...sums].flatMap(([key, [counted, booked]]) => (counted === booked ? [] : [[key, `${counted} ${booked}`]])),
    );
  }
}
