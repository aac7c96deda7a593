import type { Role, Session } from "@millrace/contract";
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { AreaLinks } from "./area-links.tsx";

function sessionOf(role: Role, can_apps: boolean, can_campaign: boolean): Session {
  return {
    uuid: "00000000-0000-4000-8000-000000000001",
    name: "Ada Example",
    email: "ada@example.com",
    ctime: "2026-11-20T05:00:00.000Z",
    current_role: can_apps ? "apps" : "campaign",
    role,
    roles: { can_apps, can_campaign },
    user_balance: { balance: 0, revenue: 0 },
    campaign_balance: 0,
    globalConfig: { is_first_visit: false, is_new: false, show_agreement: 0 },
    need_verify_otp: false,
    is_switched: false,
    admin_apps: role === "admin",
    demo: { running: false, history_progress: 1 },
  };
}

async function linksOf(session: Session, at = "/apps") {
  const { container } = await renderPage(() => <AreaLinks session={session} />, at, at);
  return within(container)
    .getAllByRole("link")
    .map((link) => link.textContent?.trim());
}

test("a publisher's links begin with the performance of all apps", async () => {
  expect(await linksOf(sessionOf("owner", true, false))).toEqual(["Performance", "Apps"]);
});

test("who has both sides reads whose performance it is", async () => {
  expect(await linksOf(sessionOf("owner", true, true))).toEqual(["Performance apps", "Apps", "Campaigns"]);
});

test("who may not read all apps together sees no link to them", async () => {
  expect(await linksOf(sessionOf("SDEV", true, false))).toEqual(["Apps"]);
  expect(await linksOf(sessionOf("owner", false, true))).toEqual(["Campaigns"]);
});

test("of areas that lie in each other's address, the closest is the one that is on", async () => {
  await linksOf(sessionOf("owner", true, false), "/apps/performance");
  const on = screen.getAllByRole("link").filter((link) => link.getAttribute("aria-current") === "page");
  expect(on.map((link) => link.textContent?.trim())).toEqual(["Performance"]);
});

test("an app's own statistics belong to the apps", async () => {
  await linksOf(sessionOf("owner", true, false), "/apps/00000000-0000-4000-8000-000000000002/performance");
  const on = screen.getAllByRole("link").filter((link) => link.getAttribute("aria-current") === "page");
  expect(on.map((link) => link.textContent?.trim())).toEqual(["Apps"]);
});
