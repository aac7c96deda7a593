import { CAMPAIGN_PROVIDER } from "@millrace/contract";
import { addDays } from "@millrace/units";
import fc from "fast-check";
import { acceptDrift } from "../../accept-drift.ts";
import { accrue, accrueAll } from "../../accrual.ts";
import { adjustPublisherBalance } from "../../adjust-balance.ts";
import { creditAdvertiser } from "../../credit-advertiser.ts";
import { reconcile } from "../../reconcile.ts";
import { refillCampaignBalance } from "../../refill.ts";
import { someCaller } from "../../../../platform/testing/some-caller.ts";
import { returnUnprovenSpend } from "../../unproven-spend.ts";
import { mustBe } from "./invariants.ts";
import { REQUEST, command, mustAllow, mustRefuse } from "./command.ts";
import type { ExpectedBooks } from "./expected-books.ts";
import type { RealBooks } from "./real-books.ts";

const app = fc.nat(2);
export const providers = ["aurora", "borealis"] as const;
export const appOf = ({ cast }: ExpectedBooks, nth: number): number =>
  cast.publishers.flatMap(({ apps }) => apps)[nth] ?? 0;
/** The key of a request that an admin's page may send twice. */
export const keyOf = (nth: number): string => `00000000-0000-4000-8000-00000000000${nth}`;

/** Each partner's ads of a day, also of one that was booked and whose month is closed. */
const traffic = command(
  "traffic",
  fc.record({
    app,
    provider: fc.constantFrom(...providers),
    micros: fc.integer({ min: 1, max: 5_000_000 }),
    ago: fc.oneof({ weight: 3, arbitrary: fc.nat(3) }, fc.constantFrom(10, 25, 45)),
  }),
  async ({ ago, micros, ...sold }, expected, real) => {
    const sale = {
      day: addDays(expected.today, -ago),
      appId: appOf(expected, sold.app),
      provider: sold.provider,
      campaignId: 0,
      grossMicros: BigInt(micros),
      revenueMicros: BigInt(Math.floor(micros * 0.8)),
    };
    expected.happen(sale);
    await real.events.happen(sale);
  },
);

/** A campaign's ad is shown. An exchange that is killed right then bills it and never brings its event, or brings it late. */
const ads = command(
  "a campaign's ad",
  fc.record({ app, campaign: fc.nat(1), micros: fc.integer({ min: 1, max: 3_000_000 }), isLost: fc.boolean() }),
  async ({ campaign, micros, isLost, ...shown }, expected, real) => {
    const campaignId = expected.cast.campaigns[campaign] ?? 0;
    const isBilled = await real.bill(campaignId, BigInt(micros));
    mustBe("a campaign spends no more than the balance", isBilled, expected.campaignBalance() >= BigInt(micros));
    if (!isBilled) return;
    const spent = `${campaignId} ${expected.today}`;
    expected.spent.set(spent, (expected.spent.get(spent) ?? 0n) + BigInt(micros));
    const sale = {
      day: expected.today,
      appId: appOf(expected, shown.app),
      provider: CAMPAIGN_PROVIDER.id,
      campaignId,
      grossMicros: BigInt(micros),
      revenueMicros: BigInt(Math.floor(micros * 0.8)),
    };
    if (isLost) expected.lost.push(sale);
    else {
      expected.happen(sale);
      await real.events.happen(sale);
    }
  },
);

const arrive = command("the lost events arrive", fc.constant(null), async (_, expected, real) => {
  for (const sale of expected.lost.splice(0, Infinity)) {
    expected.happen(sale);
    await real.events.happen(sale);
  }
});

/** The store loses a part of what an app sold on a day. */
const lose = command(
  "the store loses events",
  fc.record({ nth: fc.nat(20), percent: fc.integer({ min: 1, max: 100 }) }),
  async ({ nth, percent }, expected, real) => {
    const sales = [...expected.events.values()].filter(({ grossMicros }) => grossMicros > 0n);
    const sale = sales[nth % Math.max(1, sales.length)];
    if (!sale) return;
    const less = (micros: bigint) => -((micros * BigInt(percent)) / 100n);
    const change = { ...sale, grossMicros: less(sale.grossMicros), revenueMicros: less(sale.revenueMicros) };
    expected.happen(change);
    await real.events.happen(change);
  },
);

/** Books all days, or the last three, and says how many postings that must take. */
export async function bookDays(expected: ExpectedBooks, real: RealBooks, isAll: boolean): Promise<void> {
  const last = addDays(expected.today, -1);
  const differences = isAll ? expected.differences() : expected.differences(addDays(last, -2), last);
  const deps = real.deps();
  const posted = isAll ? await accrueAll(deps) : await accrue(deps, { ds: addDays(last, -2), de: last });
  mustBe("what is repeated is done once", posted, expected.postingsOf(differences).size, "the number of accruals");
  for (const difference of differences) expected.book(difference);
}

export async function returnSpend(expected: ExpectedBooks, real: RealBooks): Promise<void> {
  const unproven = expected.unproven();
  const posted = await returnUnprovenSpend(real.deps());
  mustBe("spend that no impression proves goes back once", posted, unproven.length, "the number of returns");
  giveBack(expected, unproven);
}

export function giveBack(expected: ExpectedBooks, unproven: ReturnType<ExpectedBooks["unproven"]>): void {
  for (const { key, micros } of unproven) {
    expected.returned.set(key, (expected.returned.get(key) ?? 0n) + micros);
    if (micros < 0n) expected.takenBack -= micros;
  }
}

/** Counts everything anew. A difference of a day that cannot be counted any more stays. */
export async function count(expected: ExpectedBooks, real: RealBooks): Promise<void> {
  await reconcile(real.deps());
  expected.count();
}

const accrual = command("the accrual", fc.boolean(), (isAll, expected, real) => bookDays(expected, real, isAll));
const unproven = command("the return of unproven spend", fc.constant(null), (_, expected, real) =>
  returnSpend(expected, real),
);
/** An admin accepts a difference, as it was seen a moment ago. */
const acceptance = command("a difference is accepted", fc.nat(3), async (nth, expected, real) => {
  const drifts = [...expected.drifts];
  const [key, sums] = drifts[nth % Math.max(1, drifts.length)] ?? [];
  if (key === undefined || sums === undefined) return;
  const found = await real.pool.query<{ id: string }>(
    "SELECT uuid AS id FROM ledger_drifts WHERE concat_ws(' ', day, account_id, what) = $1",
    [key],
  );
  const [counted = 0, booked = 0] = sums.split(" ").map(Number);
  const by = { caller: someCaller({ userId: expected.cast.adminId, role: "admin" }), request: REQUEST };
  const seen = { id: found.rows[0]?.id ?? "", counted, booked, reason: "A test" };
  const ask = () => acceptDrift(real.deps(), by, seen);
  if (expected.accepted.has(key)) return mustRefuse(ask);
  await mustAllow(ask);
  expected.accepted.set(key, sums);
});
const reconciliation = command("the count", fc.constant(null), (_, expected, real) => count(expected, real));

/** An admin's request, maybe with a key that was used before, for the same or for something else. */
const refill = command(
  "a refill",
  fc.record({ key: fc.nat(2), dollars: fc.integer({ min: 1, max: 4 }) }),
  async ({ key, dollars }, expected, real) => {
    const asked = String(dollars);
    const ask = () =>
      real.inTransaction((client) =>
        refillCampaignBalance(client, {
          key: keyOf(key),
          accountId: expected.cast.advertiser,
          amountMicros: dollars * 1_000_000,
          reason: "Invoice 7",
          actorUserId: expected.cast.adminId,
          at: new Date(real.now()),
        }),
      );
    const was = expected.refills.get(keyOf(key));
    if (was !== undefined && was !== asked) return mustRefuse(ask);
    const { booked } = await mustAllow(ask);
    mustBe("what is repeated is done once", booked, was === undefined);
    if (!booked) return;
    expected.refills.set(keyOf(key), asked);
    expected.refilled += BigInt(dollars * 1_000_000);
  },
);

/** The platform gives the advertiser something back, or takes a credit back as far as it is not spent. */
const credit = command(
  "a credit",
  fc.record({ key: fc.nat(3), micros: fc.constantFrom(2_000_000, 700_001, -700_001) }),
  async ({ key, micros }, expected, real) => {
    const ask = () =>
      real.inTransaction((client) =>
        creditAdvertiser(client, {
          key: keyOf(key),
          accountId: expected.cast.advertiser,
          amountMicros: micros,
          reason: "A test",
          actorUserId: expected.cast.adminId,
          at: new Date(real.now()),
        }),
      );
    const was = expected.credits.get(keyOf(key));
    if (was !== undefined && was !== BigInt(micros)) return mustRefuse(ask);
    const isTooMuch = [expected.credited(), expected.campaignBalance()].some((left) => left + BigInt(micros) < 0n);
    if (was === undefined && micros < 0 && isTooMuch)
      return mustRefuse(ask, "a campaign spends no more than the balance");
    const { booked } = await mustAllow(ask);
    mustBe("what is repeated is done once", booked, was === undefined);
    expected.credits.set(keyOf(key), BigInt(micros));
  },
);

const adjustment = command(
  "an adjustment",
  fc.record({
    key: fc.nat(1),
    publisher: fc.nat(1),
    kind: fc.constantFrom("bonus" as const, "correction" as const),
    micros: fc.constantFrom(500_000, 1_200_000, -700_001),
  }),
  async ({ key, publisher, kind, micros }, expected, real) => {
    const accountId = expected.cast.publishers[publisher]?.accountId ?? 0;
    const asked = [accountId, kind, micros].join(" ");
    const ask = () =>
      real.inTransaction((client) =>
        adjustPublisherBalance(client, {
          key: keyOf(key),
          kind,
          accountId,
          amountMicros: micros,
          reason: "A test",
          actorUserId: expected.cast.adminId,
          at: new Date(real.now()),
        }),
      );
    const was = expected.adjustments.get(keyOf(key));
    if (was !== undefined && was !== asked) return mustRefuse(ask);
    const { booked, balanceMicros } = await mustAllow(ask);
    mustBe("what is repeated is done once", booked, was === undefined);
    if (booked) expected.move(accountId, BigInt(micros));
    mustBe("the header is the ledger's balance", String(balanceMicros), expected.balanceOf(accountId).toString());
    expected.adjustments.set(keyOf(key), asked);
  },
);

/** What every sequence begins with: both publishers have earned something last month, and an advertiser has a dollar. */
export async function beginBooks(real: RealBooks): Promise<void> {
  const { expected } = real;
  for (const [nth, provider] of ["aurora", "borealis", "aurora"].entries()) {
    const sale = {
      day: addDays(expected.today, -25 - nth),
      appId: appOf(expected, nth),
      provider,
      campaignId: 0,
      grossMicros: 2_000_003n,
      revenueMicros: 1_600_002n,
    };
    expected.happen(sale);
    await real.events.happen(sale);
  }
  await bookDays(expected, real, true);
}

export const BOOKING = {
  traffic,
  ads,
  arrive,
  lose,
  accrual,
  unproven,
  reconciliation,
  acceptance,
  refill,
  credit,
  adjustment,
};
