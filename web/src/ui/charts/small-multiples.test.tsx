import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPart } from "../../testing/render-page.tsx";
import { SmallMultiples } from "./small-multiples.tsx";

test("a small chart tells its latest figure from the top of its scale, by a word", () => {
  const text = (value: number | null) => String(value ?? "–");
  const requests = { id: "requests", name: "Requests", label: "Requests", values: [3, 7, 5], axis: text, format: text };
  renderPart(<SmallMultiples label="Metrics" multiples={[requests]} titles={["Mon", "Tue", "Wed"]} />);
  const chart = within(screen.getByRole("figure", { name: "Requests" }));
  expect(chart.getByText("5")).toBeTruthy();
  expect(chart.getByText("max 7")).toBeTruthy();
});
