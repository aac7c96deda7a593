import type { Role, Session } from "@millrace/contract";
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { someSession } from "../../testing/some-session.ts";
import { AreaLinks } from "./area-links.tsx";

const sessionOf = (role: Role, can_apps: boolean, can_campaign: boolean) =>
  someSession({ role, roles: { can_apps, can_campaign } });

async function linksOf(session: Session, at = "/apps") {
  const { container } = await renderPage(() => <AreaLinks session={session} />, at);
  return within(container)
    .getAllByRole("link")
    .map((link) => link.textContent?.trim());
}

test("a publisher's links begin with the performance of all apps", async () => {
  expect(await linksOf(sessionOf("owner", true, false))).toEqual(["Performance", "Apps", "Cross Promo"]);
});

test("a user with both sides sees which performance each link opens", async () => {
  expect(await linksOf(sessionOf("owner", true, true))).toEqual([
    "Performance apps",
    "Apps",
    "Cross Promo",
    "Performance campaigns",
    "Campaigns",
  ]);
});

test("a user without the right to all apps together sees no link to them", async () => {
  expect(await linksOf(sessionOf("SDEV", true, false))).toEqual(["Apps"]);
  expect(await linksOf(sessionOf("owner", false, true))).toEqual(["Performance", "Campaigns"]);
});

test("when areas share an address prefix, the longest match is current", async () => {
  await linksOf(sessionOf("owner", true, false), "/apps/performance");
  const on = screen.getAllByRole("link").filter((link) => link.getAttribute("aria-current") === "page");
  expect(on.map((link) => link.textContent?.trim())).toEqual(["Performance"]);
});

test("the performance of campaigns is no part of their list", async () => {
  await linksOf(sessionOf("owner", true, true), "/campaign/performance");
  const on = screen.getAllByRole("link").filter((link) => link.getAttribute("aria-current") === "page");
  expect(on.map((link) => [link.textContent?.trim(), link.title])).toEqual([
    ["Performance campaigns", "Performance campaigns"],
  ]);
});

test("an app's own statistics belong to the apps", async () => {
  await linksOf(sessionOf("owner", true, false), "/apps/00000000-0000-4000-8000-000000000002/performance");
  const on = screen.getAllByRole("link").filter((link) => link.getAttribute("aria-current") === "page");
  expect(on.map((link) => link.textContent?.trim())).toEqual(["Apps"]);
});

test.each([
  ["/admin", "Admin"],
  ["/admin/news", "Admin"],
  ["/admin/apps", "Admin Apps"],
])("the admin page %s belongs to %s", async (at, label) => {
  await linksOf(sessionOf("admin", true, false), at);
  const on = screen.getAllByRole("link").filter((link) => link.getAttribute("aria-current") === "page");
  expect(on.map((link) => link.textContent?.trim())).toEqual([label]);
});

test("on a phone, an admin's search of apps is one of the admin area's own links", async () => {
  const session = sessionOf("admin", true, false);
  await renderPage(() => <AreaLinks session={session} few />, "/admin/apps");
  const links = screen.getAllByRole("link");
  expect(links.map((link) => link.textContent?.trim())).toEqual(["Performance", "Apps", "Cross Promo", "Admin"]);
  const on = links.filter((link) => link.getAttribute("aria-current") === "page");
  expect(on.map((link) => link.textContent?.trim())).toEqual(["Admin"]);
});
