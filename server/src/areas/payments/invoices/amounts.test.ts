import * as fc from "fast-check";
import { expect, test } from "vitest";
import { invoiceAmounts } from "./amounts.ts";

test.each([
  [100_000_000n, 0n, 1900, 10_000n, 1900n, 0n],
  [100_005_001n, 0n, 1900, 10_000n, 1900n, 5001n],
  [100_005_001n, 5001n, 1900, 10_001n, 1900n, 2n],
  // Half a cent of VAT is rounded up.
  [500_000n, 0n, 2100, 50n, 11n, 0n],
  [10_000n, -9000n, 2000, 0n, 0n, 1000n],
])("of %s micros and %s carried at %s, %s cents are invoiced with %s of VAT, and %s micros stay", (...some) => {
  const [amount, carriedIn, rate, netCents, vatCents, carriedOutMicros] = some;
  expect(invoiceAmounts(amount, carriedIn, rate)).toEqual({
    netCents,
    vatCents,
    carriedInMicros: carriedIn,
    carriedOutMicros,
  });
});

test("all documents of an account together are the ledger's amounts to the micro-dollar, less what is below a cent", () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt(10_000n, 1_000_000_000_000n), { maxLength: 30 }),
      fc.integer({ min: 0, max: 2700 }),
      (all, rate) => {
        let carried = 0n;
        let net = 0n;
        for (const amount of all) {
          const made = invoiceAmounts(amount, carried, rate);
          expect(made.netCents * 10_000n).toBe(amount + carried - made.carriedOutMicros);
          carried = made.carriedOutMicros;
          net += made.netCents;
        }
        expect(net * 10_000n + carried).toBe(all.reduce((sum, one) => sum + one, 0n));
        expect(carried >= 0n && carried < 10_000n).toBe(true);
      },
    ),
  );
});

test("VAT is never further than half a cent from the exact amount, and a credit note's is the same with the other sign", () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 100_000_000_000n), fc.integer({ min: 0, max: 2700 }), (netCents, rate) => {
      const { vatCents } = invoiceAmounts(netCents * 10_000n, 0n, rate);
      const off = 2n * (vatCents * 10_000n - netCents * BigInt(rate));
      expect(off > -10_000n && off <= 10_000n).toBe(true);
      expect(invoiceAmounts(-netCents * 10_000n, 0n, rate).vatCents).toBe(-vatCents);
    }),
  );
});
