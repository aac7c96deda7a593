import { expect, test } from "vitest";
import { methodText, rejectedText } from "./payout-mails.ts";

test("an owner is told what payout details were changed to, and what to do if nobody there has", () => {
  const { title, lines } = methodText("PayPal");
  expect(title).toBe("Your payout details have changed");
  expect(lines.join(" ")).toMatch(/paid by this method: PayPal\..*contact support at once\.$/);
  expect(methodText("PayPal", "help@ads.example").lines.at(-1)).toMatch(
    /contact support at once: write to help@ads\.example\.$/,
  );
});

test("details with which nobody can be paid any more are not called changed", () => {
  const { title, lines } = methodText(null);
  expect(title).toBe("Please check your payout details");
  expect(lines.join(" ")).not.toContain("changed");
});

test("the mail about a rejected payment has its reason as one sentence, and promises no more than the rejection does", () => {
  const payout = { amount: "300000000", month: "2026-10", method: "PayPal" };
  const linesOf = (reason: string) => rejectedText({ ...payout, reason }).lines;
  expect(linesOf("We suspect fraud. Contact support.")[0]).toBe(
    "The payment for October 2026 by PayPal was rejected: We suspect fraud. Contact support.",
  );
  expect(linesOf("The account is closed")[0]).toMatch(/rejected: The account is closed\.$/);
  expect(linesOf("")[0]).toMatch(/was rejected\.$/);
  expect(linesOf("")[1]).toContain("a later month pays it unless something holds that back");
});
