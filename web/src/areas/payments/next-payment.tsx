import type { NextPayment, PaymentBlock } from "@millrace/contract";
import { dayOf, formatBalance, formatDay, formatMoney, formatMonth, wholeCents } from "@millrace/units";
import classes from "./payment-page.module.css";

/** The next payment: its amount, day and month, the reason if there is none, and the remaining balance. */
export function NextPaymentFigures({ payment }: { payment: NextPayment }) {
  const { balance, on_its_way: onItsWay, held_back: heldBack, paid, next, minimum, booked_until: until } = payment;
  return (
    <>
      <dl className={classes.figures}>
        <div>
          <dt>{next.month_is_over ? `For ${formatMonth(next.month)}` : `${formatMonth(next.month)} so far`}</dt>
          <dd className={classes.lead}>{formatMoney(next.amount)}</dd>
          <dd>{whenText(next, minimum)}</dd>
        </div>
        <div>
          <dt>Balance</dt>
          <dd>{formatBalance(balance)}</dd>
          <dd>{until === null ? "nothing is booked yet" : `booked up to ${formatDay(until)}`}</dd>
        </div>
        <div>
          <dt>On its way</dt>
          <dd>{formatMoney(onItsWay)}</dd>
          <dd>taken off the balance, not yet paid</dd>
        </div>
        {heldBack === undefined ? null : (
          <div>
            <dt>Held back</dt>
            <dd>{formatMoney(heldBack)}</dd>
            <dd>taken off the balance, and not sent; see below</dd>
          </div>
        )}
        <div>
          <dt>Paid</dt>
          <dd>{formatMoney(paid)}</dd>
          <dd>since you joined</dd>
        </div>
      </dl>
      {next.blocks.length === 0 ? null : (
        <ul className={classes.blocks} aria-label="What stands against it">
          {next.blocks.map((block) => (
            <li key={block}>{BLOCK_TEXTS[block](payment)}</li>
          ))}
        </ul>
      )}
      <p className={classes.about}>{restText(payment)}</p>
    </>
  );
}

const BLOCK_TEXTS = {
  below_minimum: ({ minimum, next }) =>
    next.amount < 0
      ? "More was taken from your balance than you were owed for this month. The months after it make up for that first."
      : `Less than ${formatMoney(minimum)} stays on your balance and is paid with a later month.`,
  no_details: detailsText,
  drift: () =>
    "The books and the recorded events of your apps disagree. We are looking into it, and pay once they agree.",
  blocked: () => "Your account is blocked. Please contact support.",
} as const satisfies Record<PaymentBlock, (payment: NextPayment) => string>;

const isDue = ({ on }: NextPayment["next"]): boolean => on <= dayOf(Date.now());

/** Once the day of payments is over, details are waited for, if they alone are missing. */
function detailsText({ next }: NextPayment): string {
  const missing = "We do not know where to send it: please fill in your payout details below";
  if (!isDue(next)) return `${missing} before ${formatDay(next.on)}.`;
  return next.blocks.length === 1 ? `${missing}. It is paid within hours of that.` : `${missing}.`;
}

function whenText(next: NextPayment["next"], minimum: number): string {
  const { on, blocks, amount, month_is_over: isOver } = next;
  if (blocks.length > 0 && isDue(next)) return `held back since ${formatDay(on)}`;
  if (blocks.includes("below_minimum")) return `${amount < 0 ? "is not paid" : "stays on your balance"}, see below`;
  const day = isOver || amount >= minimum ? formatDay(on) : `${formatDay(on)}, if it comes to ${formatMoney(minimum)}`;
  return blocks.length === 0 ? `on ${day}` : `due on ${day}; see below`;
}

function restText({ balance, minimum, next }: NextPayment): string {
  const rule = `Each month is paid in the month after it, if it comes to ${formatMoney(minimum)} or more.`;
  const rest = wholeCents(balance - next.amount);
  if (!next.month_is_over || next.amount < 0 || rest <= 0n) return rule;
  return `${rule} ${formatMoney(rest)} was earned since and stays on your balance until then.`;
}
