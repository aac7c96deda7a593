import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, test, vi } from "vitest";
import { renderPart } from "../../testing/render-page.tsx";
import type { DateRange } from "./date-presets.ts";
import { DateRangeFilter } from "./date-range-filter.tsx";
import { WeekStart } from "./week-start.ts";

// Preloads lazy parts, so that no test waits for them.
beforeAll(() => import("./range-popover.tsx"));

const LIMITS = { ds: "2015-03-30", de: "2026-11-20" };

async function open(range: DateRange = { ds: "2026-11-18", de: "2026-11-19" }, weekStart: 0 | 1 = 1) {
  const onApply = vi.fn<(range: DateRange) => void>();
  renderPart(
    <WeekStart value={weekStart}>
      <DateRangeFilter range={range} limits={LIMITS} onApply={onApply} />
    </WeekStart>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Nov 18th – Nov 19th, 2026" }));
  const calendar = within(await screen.findByRole("dialog"));
  return { onApply, calendar };
}
type Calendar = Awaited<ReturnType<typeof open>>["calendar"];

const months = (calendar: Calendar) =>
  calendar.getAllByRole("button").flatMap(({ textContent }) => /^[A-Z][a-z]+ \d{4}$/.exec(textContent)?.[0] ?? []);
const day = (calendar: Calendar, name: string) => calendar.getByRole("button", { name });
const apply = (calendar: Calendar) => userEvent.click(calendar.getByRole("button", { name: "Apply date change" }));
/** A separate turn of the wheel. */
function turn(calendar: Calendar, deltaY: number, timeStamp: number): void {
  const wheel = new WheelEvent("wheel", { deltaY, bubbles: true });
  Object.defineProperty(wheel, "timeStamp", { value: timeStamp });
  fireEvent(calendar.getByRole("table"), wheel);
}

test("chosen days take effect only when they are applied", async () => {
  const { onApply, calendar } = await open();
  await userEvent.click(day(calendar, "3 November 2026"));
  await userEvent.click(day(calendar, "9 November 2026"));
  expect(onApply).not.toHaveBeenCalled();
  // Screen readers are told of them.
  const isChosen = (name: string) => day(calendar, name).getAttribute("aria-pressed");
  expect(["2", "3", "6", "9", "10"].map((date) => isChosen(`${date} November 2026`))).toEqual([
    "false",
    "true",
    "true",
    "true",
    "false",
  ]);
  await apply(calendar);
  expect(onApply).toHaveBeenCalledExactlyOnceWith({ ds: "2026-11-03", de: "2026-11-09" });
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("Escape gives the focus back to the chip, also when the calendar was opened for the first time", async () => {
  await open();
  await userEvent.keyboard("{Escape}");
  const chip = screen.getByRole("button", { name: "Nov 18th – Nov 19th, 2026" });
  await waitFor(() => expect(document.activeElement).toBe(chip));
});

test("a single day is a range", async () => {
  const { onApply, calendar } = await open();
  await userEvent.click(day(calendar, "7 November 2026"));
  await apply(calendar);
  expect(onApply).toHaveBeenCalledExactlyOnceWith({ ds: "2026-11-07", de: "2026-11-07" });
});

test("a preset is applied like chosen days", async () => {
  const { onApply, calendar } = await open();
  await userEvent.click(calendar.getByRole("button", { name: "All Time" }));
  expect(onApply).not.toHaveBeenCalled();
  expect(calendar.getByRole("button", { name: "All Time" }).getAttribute("aria-pressed")).toBe("true");
  await apply(calendar);
  expect(onApply).toHaveBeenCalledExactlyOnceWith(LIMITS);
});

test("days after today cannot be chosen", async () => {
  const { calendar } = await open();
  expect((day(calendar, "20 November 2026") as HTMLButtonElement).disabled).toBe(false);
  expect((day(calendar, "21 November 2026") as HTMLButtonElement).disabled).toBe(true);
});

test("the calendar shows one month, and the wheel scrolls by one month, never past today", async () => {
  const { calendar } = await open();
  expect(months(calendar)).toEqual(["November 2026"]);
  turn(calendar, 100, 1000);
  expect(months(calendar)).toEqual(["November 2026"]);
  turn(calendar, -100, 2000);
  expect(months(calendar)).toEqual(["October 2026"]);
  // Wheel events in quick succession are one turn.
  turn(calendar, -100, 2100);
  expect(months(calendar)).toEqual(["October 2026"]);
  turn(calendar, -100, 3000);
  expect(months(calendar)).toEqual(["September 2026"]);
  turn(calendar, 100, 4000);
  expect(months(calendar)).toEqual(["October 2026"]);
});

test.each([
  [1, "Mo"],
  [0, "Su"],
] as const)("a week with first day %i begins with %s", async (weekStart, name) => {
  const { calendar } = await open(undefined, weekStart);
  const [first] = [...calendar.getByRole("table").querySelectorAll("th")].map(({ textContent }) => textContent);
  expect(first).toBe(name);
});
