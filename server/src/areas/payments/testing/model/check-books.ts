import { ReportQuery } from "@millrace/contract";
import { addDays } from "@millrace/units";
import { readBalanceHistory } from "../../balance-history.ts";
import { campaignBalanceOf, publisherBalancesOf } from "../../balances.ts";
import { readFinanceReport } from "../../finance-report.ts";
import { must, mustBe } from "./invariants.ts";
import type { ExpectedBooks, ExpectedPayout, PayoutState } from "./expected-books.ts";
import type { HostileProvider } from "./hostile-provider.ts";
import { type Observed, observe } from "./observe.ts";
import type { RealBooks } from "./real-books.ts";

/** What a step may have done to payouts: nothing, unless it ran them. */
export interface Ran {
  /** The month that it paid, and what it must pay, by account. */
  month: string;
  payable: ReadonlyMap<number, bigint>;
  /** Not of a run that was killed: what it must pay, it may have paid. */
  isWhole: boolean;
}

/** Looks at everything after a step, and compares all figures with each other and with what is expected. */
export async function checkBooks(real: RealBooks, ran: Ran | null): Promise<void> {
  const { expected, pool } = real;
  const observed = await observe(pool, expected.lastSeen);
  checkMonths(expected, observed, ran);
  takePayouts(expected, observed, ran);
  checkLedger(expected, observed);
  checkProvider(expected, real.provider, observed);
  // Figures of books that have not changed have been looked at.
  const books = JSON.stringify([expected.today, observed]);
  if (books !== real.lookedAt) await checkFigures(real, observed);
  real.lookedAt = books;
}

function checkMonths(expected: ExpectedBooks, observed: Observed, ran: Ran | null): void {
  const { closed, closedDigests } = expected;
  mustBe("nothing that is booked changes", observed.before, expected.digest);
  expected.digest = observed.whole;
  expected.lastSeen = observed.last;
  for (const [month, digest] of closedDigests)
    mustBe("a closed month never changes", observed.months[month], digest, month);
  for (const month of observed.closed) {
    if (closed.has(month)) continue;
    must("a closed month never changes", ran !== null && month <= ran.month, `${month} is closed for no reason`);
    closed.add(month);
    closedDigests.set(month, observed.months[month] ?? "");
  }
  if (ran?.isWhole !== true) return;
  const open = Object.keys(observed.months).filter((month) => month <= ran.month && !closed.has(month));
  mustBe("a closed month never changes", open, [], "a month that is paid and open");
}

const ORDER = ["due", "sending", "sent", "paid", "rejected"] as const satisfies readonly PayoutState[];
const ON_ITS_WAY: readonly PayoutState[] = ["due", "sending", "sent"];

const termsOf = ({ accountId, month, amount }: ExpectedPayout) => [accountId, month, amount];

/** Takes new payouts and states over, if a step may have led to them. */
function takePayouts(expected: ExpectedBooks, observed: Observed, ran: Ran | null): void {
  mustBe("one payout for a publisher and month", observed.doubled, []);
  for (const payout of observed.payouts) {
    const was = expected.payouts.get(payout.id);
    if (was === undefined) {
      const owed = ran?.payable.get(payout.accountId);
      const found = [payout.month, payout.amount];
      mustBe("a payout is what was owed", found, [ran?.month, owed?.toString()], `the payout of ${payout.accountId}`);
      expected.move(payout.accountId, -BigInt(payout.amount));
    } else {
      mustBe("a payout is what was owed", termsOf(payout), termsOf(was));
      const isForward = ORDER.indexOf(payout.state) >= ORDER.indexOf(was.state) || payout.state === "due";
      must("what is paid here is paid at the provider", isForward, `${was.state} became ${payout.state}`);
    }
    if (payout.state === "rejected" && was?.state !== "rejected")
      expected.move(payout.accountId, BigInt(payout.amount));
    const changedOn = was?.state === payout.state ? was.changedOn : expected.today;
    expected.payouts.set(payout.id, { ...payout, changedOn });
  }
  mustBe("one payout for a publisher and month", observed.payouts.length, expected.payouts.size, "their number");
  if (ran?.isWhole !== true) return;
  for (const accountId of ran.payable.keys()) {
    const isPaid = observed.payouts.some((one) => one.accountId === accountId && one.month === ran.month);
    must("a payout is what was owed", isPaid, `${accountId} was not paid`);
  }
}

const sorted = (all: Iterable<readonly [string, string]>) =>
  [...all].toSorted(([one], [other]) => (one < other ? -1 : 1));
const nonZero = (all: ReadonlyMap<string, bigint>) =>
  sorted([...all].flatMap(([key, micros]) => (micros === 0n ? [] : [[key, micros.toString()] as const])));

function checkLedger(expected: ExpectedBooks, observed: Observed): void {
  const { books } = observed;
  mustBe("debits equal credits", observed.crooked, []);
  mustBe(
    "debits equal credits",
    Object.values(books).reduce((sum, micros) => sum + BigInt(micros), 0n),
    0n,
  );
  const sales = [...expected.booked].flatMap(([key, { grossMicros, revenueMicros }]) =>
    grossMicros === 0n && revenueMicros === 0n ? [] : [[key, `${grossMicros} ${revenueMicros}`] as const],
  );
  mustBe("the books say what the events say", sorted(Object.entries(observed.sales)), sorted(sales));
  mustBe(
    "spend that no impression proves goes back once",
    sorted(Object.entries(observed.returned)),
    nonZero(expected.returned),
  );
  mustBe("a campaign spends no more than the balance", sorted(Object.entries(observed.spent)), nonZero(expected.spent));
  mustBe("nothing is negative that may not be", observed.leased, "0", "what is leased and nobody holds");
  const drifts = [...expected.drifts].map(([key, sums]) =>
    expected.accepted.has(key) ? ([key, `${sums} accepted`] as const) : ([key, sums] as const),
  );
  mustBe("the count finds every difference", sorted(Object.entries(observed.drifts)), sorted(drifts));
  mustBe(
    "a restated statement posts its difference once",
    sorted(Object.entries(observed.settled)),
    nonZero(expected.settled),
  );
  mustBe(
    "no more is deducted than was earned",
    sorted(Object.entries(observed.deductions)),
    sorted(expected.deductions.map(({ uuid, state, micros }) => [uuid, `${state} ${micros}`] as const)),
  );
}

/** The provider is right about its payments, whatever it said. */
function checkProvider(expected: ExpectedBooks, provider: HostileProvider, { books }: Observed): void {
  const payouts = [...expected.payouts.values()];
  for (const [id, { times, amount }] of provider.payments) {
    mustBe("a payout is ordered once", [times, amount], [1, expected.payouts.get(id)?.amount], id);
  }
  for (const { id, state } of payouts) {
    const standing = provider.payments.get(id)?.standing;
    const isTrue = {
      due: standing === undefined,
      sending: true,
      sent: standing !== undefined,
      // A bank's return may not be known yet.
      paid: standing === "paid" || standing === "rejected",
      rejected: standing === undefined || standing === "rejected",
    }[state];
    must("what is paid here is paid at the provider", isTrue, `${id} is ${state} here and ${standing} there`);
  }
  const sum = (all: typeof payouts) => all.reduce((total, { amount }) => total + BigInt(amount), 0n);
  for (const { accountId } of expected.cast.publishers) {
    const own = payouts.filter((one) => one.accountId === accountId && ON_ITS_WAY.includes(one.state));
    const due = -BigInt(books[`payouts_due ${accountId}`] ?? 0);
    mustBe("nothing is negative that may not be", due, sum(own), "what is on its way");
  }
  const paid = sum(payouts.filter(({ state }) => state === "paid"));
  mustBe("what is paid here is paid at the provider", BigInt(books["cash"] ?? 0), expected.refilled - paid, "cash");
}

const REPORT_DAYS = 20;

async function checkFigures(real: RealBooks, { books }: Observed): Promise<void> {
  const { expected } = real;
  const { publishers, advertiser } = expected.cast;
  const deps = real.deps();
  const headers = await publisherBalancesOf(
    deps.pool,
    publishers.map(({ accountId }) => accountId),
  );
  const ds = addDays(expected.today, -REPORT_DAYS);
  // Reports take most of the time, so that each step has one, of another publisher.
  const reported = publishers[++real.looks % publishers.length]?.accountId;
  for (const { accountId } of publishers) {
    const header = headers.get(accountId) ?? 0;
    const balance = expected.balanceOf(accountId);
    mustBe("the header is the ledger's balance", String(header), balance.toString());
    mustBe("the header is the ledger's balance", -BigInt(books[`publisher_balance ${accountId}`] ?? 0), balance);
    if (accountId !== reported) continue;
    const report = await readFinanceReport(deps, accountId, ReportQuery.parse({ ds, de: expected.today }));
    const change = report.trans.reduce((sum, { amount }) => sum + amount, 0);
    mustBe(
      "the finance report ends at the header's balance",
      [report.opening, report.closing, (report.opening ?? Number.NaN) + change].map(String),
      [expected.balanceOf(accountId, ds), balance, balance].map(String),
    );
  }
  const campaign = await campaignBalanceOf(deps.pool, advertiser);
  mustBe("the header is the ledger's balance", String(campaign), expected.campaignBalance().toString());
  must(
    "a campaign spends no more than the balance",
    BigInt(campaign) >= -expected.takenBack,
    `the balance is ${campaign}`,
  );
  let [sum, p, lastPage] = [0, 0, 0];
  do {
    const { history, pager } = await readBalanceHistory(deps, advertiser, p);
    if (p === 0) mustBe("the balance history adds up to the campaign balance", history[0]?.balance ?? 0, campaign);
    sum += history.reduce((total, { amount }) => total + amount, 0);
    lastPage = pager.last_page;
    p++;
  } while (p < lastPage);
  mustBe("the balance history adds up to the campaign balance", sum, campaign);
}
