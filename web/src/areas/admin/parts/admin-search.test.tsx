import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { SOME_APP, somePager } from "../../../testing/some-apps.ts";
import { AdminSearch } from "./admin-search.tsx";

const OWNER = { uuid: "00000000-0000-4000-8000-000000000002", name: "Ada Example", email: "ada@example.com" };
const APP = { ...SOME_APP, owner: OWNER, moderation: "live" };
const USER = {
  ...OWNER,
  ctime: "2026-11-01T10:00:00Z",
  last_seen_at: null,
  blocked: false,
  blocked_reason: null,
  can_apps: true,
  can_campaign: false,
  apps: 1,
  balance: 0,
  campaign_balance: 0,
  is_admin: false,
};

const serve = ({ apps = [APP], users = [USER] }: { apps?: object[]; users?: object[] } = {}) =>
  answerCalls({
    "GET /admin/apps.json": () => ({ apps, pager: somePager() }),
    "GET /admin/users.json": () => ({ users, pager: somePager() }),
  });
const open = () => renderPage(() => <AdminSearch />, "/admin");
const box = () => screen.getByRole("combobox", { name: "Search apps and people" });

test("an admin finds apps and people of all accounts in one search, and opens the list with the app", async () => {
  const sent = serve();
  const { router } = await open();
  await userEvent.type(box(), "ada");
  const options = await screen.findAllByRole("option");
  expect(options.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining("Tide PuzzleApp of ada@example.com"),
    expect.stringContaining("Ada Exampleada@example.com"),
  ]);
  expect(sent("GET /admin/apps.json").at(-1)?.query.get("search")).toBe("ada");
  expect(sent("GET /admin/users.json").at(-1)?.query.get("search")).toBe("ada");
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.href).toBe("/admin/apps?search=com.example.tide"));
});

test("an arrow reaches the person, whose list opens", async () => {
  serve();
  const { router } = await open();
  await userEvent.type(box(), "ada");
  await screen.findAllByRole("option");
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await waitFor(() => expect(router.state.location.href).toBe("/admin/users?search=ada%40example.com"));
});

test("a search that finds nothing says so, and nothing is sent before one types", async () => {
  const sent = serve({ apps: [], users: [] });
  await open();
  await userEvent.click(box());
  expect(sent("GET /admin/apps.json")).toEqual([]);
  await userEvent.type(box(), "nobody");
  expect(await screen.findByText("No apps or people found")).toBeTruthy();
});
