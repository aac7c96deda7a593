import { fireEvent, render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Line } from "./chart-line.ts";
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

test("pointing at the plot shows the nearest point, and leaving it hides it", () => {
  const chart = draw([line()]);
  const plot = chart.querySelector("svg")?.parentElement as HTMLElement;
  plot.getBoundingClientRect = () => new DOMRect(100, 0, 400, 150);
  fireEvent.pointerMove(plot, { clientX: 290 });
  expect(screen.getByText("second")).toBeTruthy();
  fireEvent.pointerMove(plot, { clientX: 900 });
  expect(screen.getByText("third")).toBeTruthy();
  fireEvent.pointerLeave(plot);
  expect(screen.queryByText("third")).toBeNull();
});

test("what a finger pointed at stays until the chart loses the focus", () => {
  const chart = draw([line()]);
  const plot = chart.querySelector("svg")?.parentElement as HTMLElement;
  plot.getBoundingClientRect = () => new DOMRect(100, 0, 400, 150);
  chart.focus();
  fireEvent.pointerDown(plot, { clientX: 290, pointerType: "touch" });
  fireEvent.pointerLeave(plot, { pointerType: "touch" });
  expect(screen.getByText("second")).toBeTruthy();
  fireEvent.blur(chart);
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
  expect(over?.parentElement?.parentElement?.style.left).toBe("50%");
  expect(inKey?.closest("ol")?.getAttribute("aria-label")).toBe("Changes in the chart");
});
