import { fireEvent, render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Line } from "./line.ts";
import { LineChart } from "./line-chart.tsx";
import type { Mark } from "./marks.tsx";

const line = (more: Partial<Line> = {}): Line => ({
  id: "now",
  name: "This period",
  values: [1, 3, 2],
  color: "accent-line",
  format: (value) => `${value} short`,
  exact: (value) => (value === null ? "–" : `${value} exactly`),
  ...more,
});
const earlier = line({ id: "last", name: "Previous", values: [2, null, 4], color: "ghost", dashed: true });

const draw = (lines: readonly Line[], marks?: readonly Mark[]) => {
  render(
    <LineChart
      label="Revenue"
      lines={lines}
      ticks={["00:00", "01:00", "02:00"]}
      titles={["first", "second", "third"]}
      tickStep={2}
      height={200}
      {...(marks && { marks })}
    />,
  );
  return screen.getByRole("application", { name: /^Revenue/ });
};
const dotsOf = (chart: HTMLElement) =>
  [...chart.querySelectorAll<HTMLElement>("[class*=dot]")].map(({ style }) => `${style.left} ${style.bottom}`);
const pathsOf = (chart: HTMLElement) => [...chart.querySelectorAll("path")].map((path) => path.getAttribute("d"));

test("lines share a scale from zero, and are interrupted where there is no value", () => {
  const chart = draw([line(), earlier]);
  expect(
    within(chart)
      .getAllByText(/short$/)
      .map(({ textContent }) => textContent),
  ).toEqual([0, 1, 2, 3, 4].map((value) => `${value} short`));
  // The scale ends at 4, and the earlier period is drawn first, behind.
  expect(pathsOf(chart)).toEqual(["M0,50ZM100,0Z", "M0,75L50,25L100,50"]);
  // A value between gaps is no line, so it is a dot.
  expect(dotsOf(chart)).toEqual(["0% 50%", "100% 100%"]);
});

test("values beyond the points of the chart, of days shown before, are left out", () => {
  const chart = draw([line(), line({ id: "last", name: "Previous", values: [2, 2, 2, 2, 90], color: "ghost" })]);
  expect(pathsOf(chart)).toEqual(["M0,66.67L50,0L100,33.33", "M0,33.33L50,33.33L100,33.33"]);
});

test("nothing is drawn below the axis", () => {
  expect(pathsOf(draw([line({ values: [-5, 2, 1] })]))).toEqual(["M0,100L50,0L100,50"]);
});

test("every second point has a label where that is the step", () => {
  const chart = draw([line()]);
  expect(within(chart).queryByText("00:00")).toBeTruthy();
  expect(within(chart).queryByText("01:00")).toBeNull();
  expect(within(chart).queryByText("02:00")).toBeTruthy();
});

test("keys move along the points; the values of each are shown and announced", () => {
  const chart = draw([line(), earlier]);
  fireEvent.keyDown(chart, { key: "End" });
  expect(screen.getByText("third, This period 2 exactly, Previous 4 exactly")).toBeTruthy();
  fireEvent.keyDown(chart, { key: "ArrowLeft" });
  expect(screen.getByText("second, This period 3 exactly, Previous –")).toBeTruthy();
  expect(screen.getByText("second").nextElementSibling?.textContent).toBe("This period3 exactly");
  fireEvent.keyDown(chart, { key: "Escape" });
  expect(screen.queryByText("second")).toBeNull();
});

/** The plot, 400 pixels wide. */
function plotOf(chart: HTMLElement): Element {
  const plot = chart.querySelector("svg")?.parentElement;
  if (!plot) throw new Error("the chart has no plot");
  plot.getBoundingClientRect = () => new DOMRect(100, 0, 400, 150);
  return plot;
}

test("pointing at the plot shows the nearest point, and leaving it shows the one chosen by keys again", () => {
  const chart = draw([line()]);
  const plot = plotOf(chart);
  fireEvent.pointerMove(plot, { clientX: 290 });
  expect(screen.getByText("second")).toBeTruthy();
  // Only keys are announced.
  expect(screen.queryByText(/^second, /)).toBeNull();
  fireEvent.pointerMove(plot, { clientX: 900 });
  expect(screen.getByText("third")).toBeTruthy();
  fireEvent.pointerLeave(plot);
  expect(screen.queryByText("third")).toBeNull();
  fireEvent.keyDown(chart, { key: "Home" });
  fireEvent.pointerMove(plot, { clientX: 900 });
  expect(screen.getByText("third")).toBeTruthy();
  fireEvent.pointerLeave(plot);
  expect(screen.getByText("first")).toBeTruthy();
  fireEvent.blur(chart);
  expect(screen.queryByText("first")).toBeNull();
});

test("a touched point stays until something else is touched or the page is scrolled", () => {
  const plot = plotOf(draw([line()]));
  const touch = () => {
    fireEvent.pointerDown(plot, { clientX: 290, pointerType: "touch" });
    fireEvent.pointerLeave(plot, { pointerType: "touch" });
    expect(screen.getByText("second")).toBeTruthy();
  };
  touch();
  fireEvent.pointerDown(document.body);
  expect(screen.queryByText("second")).toBeNull();
  touch();
  fireEvent.pointerCancel(plot, { pointerType: "touch" });
  expect(screen.queryByText("second")).toBeNull();
});

test("the running point has a bar and a pace of its own, for which the scale has room", () => {
  const running = { at: 2, soFar: 1, soFarText: "$1 by 13:05", pace: 9, paceText: "pace $9" };
  const chart = draw([line({ values: [1, 3, null], running })]);
  expect(within(chart).getByText("$1 by 13:05")).toBeTruthy();
  expect(within(chart).getByText("pace $9")).toBeTruthy();
  expect(within(chart).getByText("10 short")).toBeTruthy();
  expect(pathsOf(chart)).toEqual(["M0,90L50,70"]);
  fireEvent.keyDown(chart, { key: "End" });
  expect(screen.getByText("third, This period $1 by 13:05, pace $9")).toBeTruthy();
});

test.each([
  [0, "right"],
  [2, "left"],
])("the words of a running point at %i are on its %s", (at, side) => {
  const running = { at, soFar: 1, soFarText: "$1 by 13:05", pace: 2, paceText: "pace $2" };
  const chart = draw([line({ values: [null, null, null], running })]);
  for (const words of ["$1 by 13:05", "pace $2"]) {
    expect(within(chart).getByText(words).parentElement?.dataset["words"]).toBe(side);
  }
});

test("a point that is no longer there is not shown", () => {
  const both = (values: number[]) => (
    <LineChart
      label="Revenue"
      lines={[line({ values })]}
      ticks={values.map(String)}
      titles={values.map((value) => `at ${value}`)}
      tickStep={1}
      height={200}
    />
  );
  const { rerender } = render(both([5, 6, 7]));
  fireEvent.keyDown(screen.getByRole("application"), { key: "End" });
  expect(screen.getByText("at 7")).toBeTruthy();
  rerender(both([5]));
  expect(screen.queryByText(/^at /)).toBeNull();
});

test("marks stand at their points, with a key", () => {
  draw([line()], [{ id: "a", at: 1, name: "Floor raised" }]);
  const [over, inKey] = screen.getAllByText("Floor raised");
  expect(over?.parentElement?.parentElement?.style.getPropertyValue("--at")).toBe("50");
  expect(inKey?.closest("ol")?.getAttribute("aria-label")).toBe("Changes in the chart");
});
