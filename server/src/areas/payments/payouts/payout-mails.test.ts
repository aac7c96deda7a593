import { expect, test } from "vitest";
import { methodText } from "./payout-mails.ts";

test("an owner is told what payout details were changed to, and what to do if nobody there has", () => {
  const { title, lines } = methodText("PayPal");
  expect(title).toBe("Your payout details have changed");
  expect(lines.join(" ")).toMatch(/paid by this method: PayPal\..*contact support at once/);
});

test("details with which nobody can be paid any more are not called changed", () => {
  const { title, lines } = methodText(null);
  expect(title).toBe("Please check your payout details");
  expect(lines.join(" ")).not.toContain("changed");
});
