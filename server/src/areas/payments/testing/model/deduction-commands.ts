import { addDays } from "@millrace/units";
import fc from "fast-check";
import { someCaller } from "../../../../platform/testing/some-caller.ts";
import { answerDeduction } from "../../deductions/answer-deduction.ts";
import { disputeDeduction } from "../../deductions/dispute-deduction.ts";
import { noteDeduction } from "../../deductions/note-deduction.ts";
import { appOf, keyOf, providers } from "./booking-commands.ts";
import { must, mustBe } from "./invariants.ts";
import { REQUEST, command, mustAllow, mustRefuse } from "./command.ts";
import type { ExpectedBooks, ExpectedDeduction } from "./expected-books.ts";

const DISPUTE_DAYS = 14;

/** A sale of a day that is booked, if there is one: what nothing was earned of is refused. */
function about(expected: ExpectedBooks, nth: number): { appId: number; day: string } {
  const booked = [...expected.booked.values()].filter(({ campaignId }) => campaignId === 0);
  return booked[nth % Math.max(1, booked.length)] ?? { appId: appOf(expected, 0), day: addDays(expected.today, -1) };
}

const note = command(
  "a deduction",
  fc.record({
    key: fc.nat(5),
    nth: fc.nat(2),
    provider: fc.constantFrom(...providers, null),
    percent: fc.constantFrom(40, 70, 100, 130),
    isRepeated: fc.boolean(),
  }),
  async ({ key, nth, provider, percent, isRepeated }, expected, real) => {
    const was = expected.deductions.find((one) => one.key === keyOf(key));
    const named = { ...about(expected, nth), provider };
    const left = expected.leftOf(named.appId, named.day, provider);
    const fresh = { appId: named.appId, day: named.day, provider, micros: (left * BigInt(percent)) / 100n || 1n };
    const { appId, day, ...asked } = was && isRepeated ? was : fresh;
    const accountId = expected.ownerOf(appId);
    const ask = () =>
      real.inTransaction((client) =>
        noteDeduction(client, {
          key: keyOf(key),
          accountId,
          appId,
          day,
          provider: asked.provider,
          reason: "invalid_traffic",
          amountMicros: Number(asked.micros),
          explanation: "A test",
          auctions: [],
          actorUserId: expected.cast.adminId,
          at: new Date(real.now()),
        }),
      );
    const isSame =
      was?.appId === appId && was.day === day && was.provider === asked.provider && was.micros === asked.micros;
    if (was && !isSame) return mustRefuse(ask);
    if (!was && asked.micros > left) return mustRefuse(ask, "no more is deducted than was earned");
    const { uuid, isNew } = await mustAllow(ask);
    mustBe("what is repeated is done once", isNew, was === undefined);
    if (was) return mustBe("what is repeated is done once", uuid, was.uuid);
    expected.move(accountId, -asked.micros, { forDay: day });
    const until = addDays(expected.today, DISPUTE_DAYS);
    expected.deductions.push({ uuid, key: keyOf(key), accountId, appId, day, ...asked, state: "noted", until });
  },
);

const nthOf = (expected: ExpectedBooks, nth: number): ExpectedDeduction | undefined =>
  expected.deductions[nth % Math.max(1, expected.deductions.length)];

const dispute = command("a dispute", fc.nat(5), async (nth, expected, real) => {
  const deduction = nthOf(expected, nth);
  if (!deduction) return;
  const { uuid, accountId, state, until } = deduction;
  const by = { caller: someCaller({ accountId, userId: expected.cast.adminId }), request: REQUEST };
  const ask = () => disputeDeduction(real.deps(), by, { uuid, text: "It was real" });
  if (state !== "noted" || expected.today > until) return mustRefuse(ask);
  await mustAllow(ask);
  deduction.state = "disputed";
});

const answer = command(
  "an answer",
  fc.record({ nth: fc.nat(5), verdict: fc.constantFrom("upheld" as const, "reversed" as const) }),
  async ({ nth, verdict }, expected, real) => {
    const deduction = nthOf(expected, nth);
    if (!deduction) return;
    const { uuid, accountId, day: forDay, state, micros } = deduction;
    const by = { actorUserId: expected.cast.adminId, at: new Date(real.now()) };
    const ask = () =>
      real.inTransaction((client) => answerDeduction(client, { uuid, verdict, answer: "Counted again", ...by }));
    const isAllowed = state === "disputed" || (state !== "reversed" && verdict === "reversed");
    if (!isAllowed) return mustRefuse(ask);
    const { amountMicros } = await mustAllow(ask);
    must("no more is deducted than was earned", BigInt(amountMicros) === micros, `${amountMicros} was given back`);
    if (verdict === "reversed") expected.move(accountId, micros, { forDay });
    deduction.state = verdict;
  },
);

export const DEDUCTING = { note, dispute, answer };
