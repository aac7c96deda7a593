import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { refused } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { PublisherPerformancePage } from "../pages/publisher-performance-page.tsx";
import { serveStatistics } from "../testing/serve-statistics.tsx";

const ID = "0b0a4a0e-53f8-4d30-b7a5-3f8ff1a8c6a1";
const MAKE = "POST /apps/performance/stats_files";
const LOOK = `GET /stats_files/${ID}.json`;
const PATIENCE = { timeout: 3000 };

const file = (state: string, percent: number) => ({ id: ID, state, percent, expires_at: "2026-11-20T12:00:00.000Z" });
const open = () =>
  renderPage(PublisherPerformancePage, "/apps/performance", "/apps/performance?ds=2016-01-01&de=2026-11-19");

beforeAll(() => import("./stat-table.tsx"));

/** The addresses of downloads. */
function downloads(): string[] {
  const addresses: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function clicked(this: HTMLAnchorElement) {
    addresses.push(this.getAttribute("href") ?? "");
  });
  return addresses;
}
afterEach(() => vi.restoreAllMocks());

test("a long file is requested, shows its progress, and is downloaded once it is ready", async () => {
  let percent = 12;
  const addresses = downloads();
  const sent = serveStatistics({
    files: {
      [MAKE]: () => file("waiting", 0),
      [LOOK]: () => (percent > 60 ? file("ready", 100) : file("working", percent)),
    },
  });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Download PDF" }));
  expect(sent(MAKE)[0]?.body).toEqual({ kind: "pdf" });
  expect(sent(MAKE)[0]?.query.get("ds")).toBe("2016-01-01");
  const bar = await screen.findByRole("progressbar", { name: "PDF file" });
  await vi.waitFor(() => expect(bar.getAttribute("aria-valuenow")).toBe("12"), PATIENCE);
  percent = 48;
  await vi.waitFor(() => expect(bar.getAttribute("aria-valuenow")).toBe("48"), PATIENCE);
  expect(addresses).toEqual([]);
  percent = 100;
  await vi.waitFor(() => expect(addresses).toEqual([`/stats_files/${ID}`]), PATIENCE);
  expect(await screen.findByRole("button", { name: "Download PDF" })).toBeTruthy();
});

test("a file that could not be created says so and can be requested again", async () => {
  const addresses = downloads();
  let isBusy = true;
  serveStatistics({
    files: {
      [MAKE]: () => (isBusy ? refused(429, "Too many files are being made for you") : file("failed", 30)),
      [LOOK]: () => file("failed", 30),
    },
  });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Download CSV" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Too many files are being made for you");
  isBusy = false;
  await userEvent.click(screen.getByRole("button", { name: "Download CSV" }));
  expect(await screen.findByText("The CSV could not be created.")).toBeTruthy();
  expect(addresses).toEqual([]);
});
