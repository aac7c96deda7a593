import { addDays } from "@millrace/units";
import fc from "fast-check";
import { someCaller } from "../../../../platform/testing/some-caller.ts";
import { accrueAll } from "../../accrual.ts";
import { settleByHand } from "../../payouts/admin-payouts.ts";
import { refreshPayouts } from "../../payouts/order-payouts.ts";
import { followPayouts, runPayouts } from "../../payouts/run-payouts.ts";
import { returnUnprovenSpend } from "../../unproven-spend.ts";
import { bookDays, count, giveBack, returnSpend } from "./booking-commands.ts";
import { mustBe } from "./invariants.ts";
import type { Ran } from "./check-books.ts";
import { REQUEST, command, mustAllow, mustRefuse } from "./command.ts";
import { type ExpectedBooks, keyOf } from "./expected-books.ts";
import { ASK_ANSWERS, PAY_ANSWERS } from "./hostile-provider.ts";
import { Killed, type Life, immortal } from "./mortal-pool.ts";
import { observe } from "./observe.ts";
import type { RealBooks } from "./real-books.ts";

const answers = fc.record({
  pay: fc.array(fc.constantFrom(...PAY_ANSWERS), { minLength: 1, maxLength: 3 }),
  ask: fc.array(fc.constantFrom(...ASK_ANSWERS), { minLength: 1, maxLength: 3 }),
});
type Answers = typeof answers extends fc.Arbitrary<infer T> ? T : never;

function prepare(real: RealBooks, { pay, ask }: Answers): void {
  real.provider.payAnswers = pay;
  real.provider.askAnswers = ask;
}

/** What a run is to pay, as things are. */
const runOf = (expected: ExpectedBooks, real: RealBooks, isWhole = true): Ran => ({
  month: expected.monthToPay(),
  payable: expected.payable(real.payable()),
  isWhole,
});

const pay = command("a payout run", answers, async (how, expected, real) => {
  prepare(real, how);
  const ran = runOf(expected, real);
  await runPayouts(real.deps());
  return ran;
});

const follow = command("following payouts", answers, async (how, _, real) => {
  prepare(real, how);
  await followPayouts(real.deps());
});

/** The provider calls back, twice. */
const callBack = command(
  "a notice",
  fc.record({ nth: fc.nat(5), answers }),
  async ({ nth, answers: how }, expected, real) => {
    prepare(real, how);
    const id = [...expected.payouts.keys()][nth % Math.max(1, expected.payouts.size)];
    if (id === undefined) return;
    await refreshPayouts(real.deps(), id);
    await refreshPayouts(real.deps(), id);
  },
);

const bank = command(
  "the bank decides",
  fc.record({ nth: fc.nat(5), standing: fc.constantFrom("paid" as const, "paid" as const, "rejected" as const) }),
  async ({ nth, standing }, _, { provider: { payments } }) => {
    const payment = [...payments.values()][nth % Math.max(1, payments.size)];
    if (payment && payment.standing !== "rejected") payment.standing = standing;
  },
);

const details = command("payout details change", fc.nat(1), async (nth, _, { payees, provider: { payable } }) => {
  const payeeId = [...payees.values()][nth] ?? "";
  if (!payable.delete(payeeId)) payable.add(payeeId);
});

/** An admin has looked at the provider's own list and says what became of a payout. */
const settling = command("an admin settles a payout", fc.nat(5), async (nth, expected, real) => {
  const payout = [...expected.payouts.values()][nth % Math.max(1, expected.payouts.size)];
  const standing = real.provider.payments.get(payout?.id ?? "")?.standing;
  if (!payout || standing === "pending") return;
  const paid = standing === "paid";
  const by = { caller: someCaller({ userId: expected.cast.adminId, role: "admin" }), request: REQUEST };
  const ask = () => settleByHand(real.deps(), by, { payoutId: payout.id, paid, reason: "By the provider's list" });
  const isOpen =
    (payout.state === "due" && !paid) ||
    payout.state === "sent" ||
    // The provider is the built-in one, so that an admin is the only one who hears of a bank's return.
    (payout.state === "paid" && !paid) ||
    (payout.state === "sending" && payout.changedOn < expected.today);
  await (isOpen ? mustAllow(ask) : mustRefuse(ask));
});

const nightly = command("the nightly job", answers, async (how, expected, real) => {
  prepare(real, how);
  await bookDays(expected, real, true);
  await returnSpend(expected, real);
  await count(expected, real);
  const ran = runOf(expected, real);
  await runPayouts(real.deps());
  return ran;
});

/** What a killed process has left of a job: every transaction happened or did not, and the books are as that says. */
const KILLED = {
  async accrual(expected: ExpectedBooks, real: RealBooks, life: Life) {
    const differences = expected.differences();
    await untilKilled(accrueAll(real.deps(life)));
    const { sales } = await observe(real.pool, "0");
    for (const day of new Set(differences.map((one) => one.day))) {
      const ofDay = differences.filter((one) => one.day === day);
      const isBooked = ofDay.map((one) => {
        const was = expected.booked.get(keyOf(one));
        const had = was && (was.grossMicros !== 0n || was.revenueMicros !== 0n);
        return sales[keyOf(one)] !== (had ? `${was.grossMicros} ${was.revenueMicros}` : undefined);
      });
      mustBe("what was killed has happened or not", new Set(isBooked).size, 1, `the accrual of ${day}`);
      if (isBooked[0]) for (const one of ofDay) expected.book(one);
    }
  },
  async unproven(expected: ExpectedBooks, real: RealBooks, life: Life) {
    const unproven = expected.unproven();
    await untilKilled(returnUnprovenSpend(real.deps(life)));
    const { returned } = await observe(real.pool, "0");
    const isReturned = unproven.map(({ key }) => (returned[key] ?? "0") !== String(expected.returned.get(key) ?? 0n));
    mustBe("what was killed has happened or not", new Set(isReturned).size <= 1, true, "the return of spend");
    if (isReturned[0]) giveBack(expected, unproven);
  },
  async payouts(expected: ExpectedBooks, real: RealBooks, life: Life): Promise<Ran> {
    const ran = runOf(expected, real, false);
    await untilKilled(runPayouts(real.deps(life)));
    return ran;
  },
  async following(_: ExpectedBooks, real: RealBooks, life: Life) {
    await untilKilled(followPayouts(real.deps(life)));
  },
};

const untilKilled = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error;
  });

const kill = command(
  "a process killed in its job",
  fc.record({
    job: fc.constantFrom(...(Object.keys(KILLED) as (keyof typeof KILLED)[])),
    dieAt: fc.integer({ min: 1, max: 30 }),
    after: fc.boolean(),
    answers,
  }),
  async ({ job, dieAt, after, answers: how }, expected, real) => {
    prepare(real, how);
    return (await KILLED[job](expected, real, { ...immortal(), dieAt, after })) ?? undefined;
  },
);

/** Days go by: a few, or until the next payout day. */
const days = command("days later", fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(0)), async (more, expected) => {
  const until = (day: string) => (more === 0 ? day.endsWith("-15") : day === addDays(expected.today, more));
  let day = addDays(expected.today, 1);
  while (!until(day)) day = addDays(day, 1);
  expected.today = day;
});

export const PAYING = { pay, follow, callBack, bank, details, settling, nightly, kill, days };
