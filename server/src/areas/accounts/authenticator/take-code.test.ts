import fc from "fast-check";
import { generate, generateSecret } from "otplib";
import { expect, test } from "vitest";
import { newRecoveryCodes } from "./recovery-codes.ts";
import { recoveryHash, stepOf } from "./take-code.ts";

const secret = generateSecret();

test("a code matches its half minute and the ones next to it, and reports which", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 4_000_000_000_000 }),
      fc.constantFrom(-1, 0, 1),
      async (nowMs, beside) => {
        const step = Math.floor(nowMs / 30_000) + beside;
        fc.pre(step >= 0);
        const code = await generate({ secret, epoch: step * 30 });
        expect(await stepOf(secret, code, nowMs)).toBe(step);
      },
    ),
    { numRuns: 50 },
  );
});

test("the test vectors of RFC 6238 (SHA-1, last six digits) match at their times", async () => {
  // Its secret is the ASCII text 12345678901234567890.
  const rfc = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  for (const [seconds, code] of [
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
  ] as const)
    expect(await stepOf(rfc, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
});

test("no other text matches or throws", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 20, unit: "binary" }), async (text) => {
      fc.pre(!/^\d{6}$/.test(text));
      expect(await stepOf(secret, text, 0)).toBeNull();
    }),
  );
});

test("recovery codes are unique by their letters and digits", () => {
  const { codes, hashes } = newRecoveryCodes();
  expect(new Set(hashes).size).toBe(10);
  for (const [nth, code] of codes.entries()) {
    expect(recoveryHash(` ${code.toUpperCase().replaceAll("-", "")} `)).toBe(hashes[nth]);
    expect(hashes[nth]).not.toContain(code);
  }
});
