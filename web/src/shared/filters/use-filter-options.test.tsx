import { FORMATS } from "@millrace/contract";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answerCalls } from "../../testing/answer-calls.ts";
import { useFilterOptions } from "./use-filter-options.ts";

beforeEach(() => void vi.useFakeTimers({ now: new Date("2026-11-30T23:59:00Z"), shouldAdvanceTime: true }));
afterEach(() => void vi.useRealTimers());

function LastDay() {
  return <p>{useFilterOptions().data?.dates.max ?? "loading"}</p>;
}

test("a page that stays open over midnight can choose the new day", async () => {
  answerCalls({
    "GET /apps/dash_filters.json": () => {
      const day = new Date().toISOString().slice(0, 10);
      return {
        dates: { ds: day, de: day, min: "2026-01-01", max: day },
        search: "",
        providers: {},
        formats: Object.fromEntries(FORMATS.map((format) => [format, format])),
        countries: {},
        apps: {},
        first_day: null,
        first_days: {},
      };
    },
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <LastDay />
    </QueryClientProvider>,
  );
  expect(await screen.findByText("2026-11-30")).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(70_000));
  expect(await screen.findByText("2026-12-01")).toBeTruthy();
});
