import { addDays } from "@millrace/units";

/** The month of a UTC day: `2026-11`. */
const monthOf = (day: string): string => day.slice(0, 7);

/** The first day after a month. */
export const afterMonth = (month: string): string => `${nextMonth(month)}-01`;

export const nextMonth = (month: string): string => monthOf(addDays(`${month}-28`, 4));

const previousMonth = (month: string): string => monthOf(addDays(`${month}-01`, -1));

/** The last month whose payouts may be made on a day: the month before, from the payout day on. */
export function monthToPay(today: string, payoutDay: number): string {
  const last = previousMonth(monthOf(today));
  return Number(today.slice(8)) >= payoutDay ? last : previousMonth(last);
}

/** The day on which a month's payouts are made: the payout day of the month after it. */
export const payDayOf = (month: string, payoutDay: number): string => addDays(afterMonth(month), payoutDay - 1);

export const monthIsOver = (month: string, today: string): boolean => monthOf(today) > month;
