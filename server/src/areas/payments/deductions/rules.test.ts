import { DEDUCTION_STATES } from "@millrace/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Earned, canDispute, lastDayToDispute, leftOf, mayBecome } from "./rules.ts";

test("a deduction is disputed once, upheld once, and reversed once, before an answer or after it; nothing else follows", () => {
  const steps = DEDUCTION_STATES.flatMap((from) =>
    DEDUCTION_STATES.filter((to) => mayBecome(from, to)).map((to) => `${from} ${to}`),
  );
  expect(steps).toEqual([
    "noted disputed",
    "noted reversed",
    "disputed upheld",
    "disputed reversed",
    "upheld reversed",
  ]);
});

test("the last day to dispute is the fourteenth after the day of the note, whatever the hour, and counts whole", () => {
  for (const hour of ["00:00:00.000", "23:59:59.999"])
    expect(lastDayToDispute(new Date(`2026-11-20T${hour}Z`))).toBe("2026-12-04");
  const noted = { state: "noted", until: "2026-12-04" } as const;
  expect(canDispute(noted, "2026-12-04")).toBe(true);
  expect(canDispute(noted, "2026-12-05")).toBe(false);
  expect(canDispute({ ...noted, state: "disputed" }, "2026-11-20")).toBe(false);
});

const earned = (provider: string, earnedMicros: bigint, deductedMicros = 0n): Earned => ({
  provider,
  earnedMicros,
  deductedMicros,
});

test("a partner's earnings are left less what was deducted of them, and never more than is left of all together", () => {
  const day = [earned("aurora", 100n, 30n), earned("borealis", 50n), earned("", 0n, 0n)];
  expect(leftOf(day, "aurora")).toBe(70n);
  expect(leftOf(day, "borealis")).toBe(50n);
  expect(leftOf(day, null)).toBe(120n);
  const without = [...day.slice(0, 2), earned("", 0n, 100n)];
  expect([leftOf(without, "aurora"), leftOf(without, null)]).toEqual([20n, 20n]);
  expect(leftOf(day, "unknown")).toBe(0n);
  expect(leftOf([], null)).toBe(0n);
  // The partner has restated its figures since.
  expect(leftOf([earned("aurora", 10n, 30n), earned("borealis", 50n)], "aurora")).toBe(0n);
  expect(leftOf([earned("aurora", 10n, 30n), earned("borealis", 50n)], "borealis")).toBe(30n);
});

test("deductions within what is left never take more than was earned, in any order and mixture", () => {
  const providers = ["aurora", "borealis", "campaigns"] as const;
  const step = fc.record({ provider: fc.constantFrom(...providers, null), share: fc.integer({ min: 0, max: 100 }) });
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { minLength: 3, maxLength: 3 }), fc.array(step), (amounts, steps) => {
      const day = new Map<string, Earned>([["", earned("", 0n)]]);
      for (const [nth, provider] of providers.entries()) day.set(provider, earned(provider, BigInt(amounts[nth] ?? 0)));
      for (const { provider, share } of steps) {
        const taken = (leftOf([...day.values()], provider) * BigInt(share)) / 100n;
        const row = day.get(provider ?? "") ?? expect.fail();
        row.deductedMicros += taken;
      }
      const rows = [...day.values()];
      const sum = (of: (one: Earned) => bigint) => rows.reduce((total, one) => total + of(one), 0n);
      expect(sum((one) => one.deductedMicros) <= sum((one) => one.earnedMicros)).toBe(true);
      for (const one of rows) if (one.provider !== "") expect(one.deductedMicros <= one.earnedMicros).toBe(true);
    }),
  );
});
