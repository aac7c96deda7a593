import { TEXTS } from "@millrace/contract";
import { formatMoneyExact } from "@millrace/units";
import { z } from "zod";
import { microsOf } from "../../../shared/micros-of.ts";
import type { FieldProps } from "../../../ui/form/field-props.ts";
import { TextField } from "../../../ui/form/text-field.tsx";
import classes from "./parts.module.css";

/** An amount as it is typed. */
export const TypedAmount = z.string().trim().min(1, TEXTS.required);

/** The error of a typed amount, by the limits of the call that takes it; `sign` is -1 where it is taken away. */
export function amountError(typed = "", limits: z.ZodType<number>, sign = 1): Record<string, string> {
  if (typed.trim() === "") return {};
  const micros = microsOf(typed);
  if (micros === null) return { amount: "Add an amount in $, with at most 6 decimals" };
  const issue = limits.safeParse(micros * sign).error?.issues[0];
  return issue ? { amount: issue.message } : {};
}

/** Takes an amount of dollars. */
export const AmountField = (field: FieldProps<string> & { "data-autofocus"?: boolean }) => (
  <TextField {...field} label="Amount in $" inputMode="decimal" autoComplete="off" placeholder="0.00" />
);

/** From $10,000 on, an amount is entered twice: a digit too many is booked, mailed and paid out like any other. */
const LARGE_MICROS = 10_000_000_000;
const isLarge = (typed = ""): boolean => (microsOf(typed) ?? 0) >= LARGE_MICROS;

/** The error of a large amount that was not entered a second time. */
export const againError = ({ amount = "", again = "" }: { amount?: string; again?: string }): Record<string, string> =>
  isLarge(amount) && microsOf(again) !== microsOf(amount) ? { again: "Enter the same amount again" } : {};

/** Takes a large amount a second time. */
export const AgainField = ({ amount, ...field }: FieldProps<string> & { amount: string | undefined }) =>
  isLarge(amount) ? (
    <TextField {...field} label="The amount again, because it is large" inputMode="decimal" autoComplete="off" />
  ) : null;

interface BalanceAfterProps {
  email: string;
  balance: number;
  /** The amount as it is typed; `sign` is -1 where it is taken away. */
  typed: string | undefined;
  sign?: number;
}

/** What a balance is, and what it will be with the typed amount. */
export function BalanceAfter({ email, balance, typed = "", sign = 1 }: BalanceAfterProps) {
  const micros = microsOf(typed);
  return (
    <p className={classes.about}>
      {email} has {formatMoneyExact(balance)}
      {micros === null ? "." : `, and will have ${formatMoneyExact(balance + micros * sign)}.`}
    </p>
  );
}
