import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { NO_TOTALS, SOME_APP, somePager } from "../../../testing/some-apps.ts";
import { AppSearch } from "./app-search.tsx";

const serve = () =>
  answerCalls({
    "GET /apps.json": () => ({
      apps: [{ ...SOME_APP, ...NO_TOTALS }],
      pager: somePager(),
      totals: NO_TOTALS,
      compared_until: null,
    }),
  });

test("a user finds one of their own apps and opens it with Enter", async () => {
  serve();
  const { router } = await renderPage(() => <AppSearch />, "/apps/performance");
  await userEvent.type(screen.getByRole("combobox", { name: "Search app" }), "tide");
  await screen.findByRole("option", { name: /Tide Puzzle/ });
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe(`/apps/${SOME_APP.uuid}/performance`));
});

test("Enter right after typing opens no result of the earlier text", async () => {
  serve();
  const { router } = await renderPage(() => <AppSearch />, "/apps/performance");
  const box = screen.getByRole("combobox", { name: "Search app" });
  await userEvent.type(box, "tide");
  await screen.findByRole("option", { name: /Tide Puzzle/ });
  await userEvent.type(box, " other{Enter}");
  expect(router.state.location.pathname).toBe("/apps/performance");
  // Once the results are for the current text, Enter opens the first.
  await waitFor(() => expect(screen.getByRole("listbox").getAttribute("aria-busy")).toBe("false"));
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe(`/apps/${SOME_APP.uuid}/performance`));
});
