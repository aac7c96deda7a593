import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { SOME_APP, somePager } from "../../../testing/some-apps.ts";
import { AdminAppsPage } from "./admin-apps-page.tsx";

const open = () => renderPage(() => <AdminAppsPage />, "/admin/apps");
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

const APP = {
  ...SOME_APP,
  uuid: "00000000-0000-4000-8000-000000000002",
  sdk_status: "check",
  sdk_status_class: "warning",
  sdk_info: { version: null, changelog_url: null, update_url: null },
  owner: { uuid: "00000000-0000-4000-8000-000000000001", name: "Ada Lovelace", email: "ada@example.com" },
};

test("apps of all accounts are listed with their owner and SDK status", async () => {
  const apps = [{ ...APP, moderation: "check" }];
  answerCalls({ "GET /admin/apps.json": () => ({ apps, pager: somePager() }) });
  await open();
  const row = (await screen.findByText("Tide Puzzle")).closest("tr");
  expect(row?.textContent).toContain("Android · com.example.tide");
  expect(row?.textContent).toContain("SDK check");
  expect(row?.textContent).toContain("ada@example.com");
  expect(screen.getByRole("link", { name: "Apps" }).getAttribute("aria-current")).toBe("page");
});

test("a live app is banned, and approved again, from the list of all apps", async () => {
  let moderation = "live";
  const sent = answerCalls({
    "GET /admin/apps.json": () => ({ apps: [{ ...APP, moderation }], pager: somePager() }),
    [`POST /admin/moderation/apps/${APP.uuid}`]: ({ body }) => {
      moderation = (body as { decision: string }).decision === "ban" ? "banned" : "live";
      return { ok: 1 };
    },
  });
  await open();
  expect(await screen.findByRole("button", { name: "Ban Tide Puzzle, Android" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Approve Tide Puzzle, Android" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Ban Tide Puzzle, Android" }));
  const ban = await dialog("Ban app");
  await userEvent.type(ban.getByLabelText("Reason"), "Clicks of machines");
  await userEvent.click(ban.getByRole("button", { name: "Ban app" }));
  await userEvent.click(await screen.findByRole("button", { name: "Approve Tide Puzzle, Android" }));
  await userEvent.click((await dialog("Approve app")).getByRole("button", { name: "Approve app" }));
  expect(await screen.findByRole("button", { name: "Ban Tide Puzzle, Android" })).toBeTruthy();
  expect(sent(`POST /admin/moderation/apps/${APP.uuid}`).map(({ body }) => body)).toEqual([
    { decision: "ban", reason: "Clicks of machines", seen: { moderation: "live", bundle_id: APP.bundle_id } },
    { decision: "approve", reason: "", seen: { moderation: "banned", bundle_id: APP.bundle_id } },
  ]);
});
