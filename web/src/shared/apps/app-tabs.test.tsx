import type { Platform, Role } from "@millrace/contract";
import { screen, within } from "@testing-library/react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { expect, test } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { SOME_APP } from "../../testing/some-apps.ts";
import { someSession } from "../../testing/some-session.ts";
import { SESSION_KEY } from "../session.ts";
import { type AppTab, AppTabs } from "./app-tabs.tsx";

const UUID = "00000000-0000-4000-8000-000000000001";

interface Opened {
  role?: Role;
  platform?: Platform;
  at?: string;
  tab?: AppTab;
}

async function tabsOf({ role = "owner", platform = "roku", at = "settings", tab }: Opened = {}) {
  const app = { ...SOME_APP, platform };
  function Page() {
    const client = useQueryClient();
    useState(() => client.setQueryData(SESSION_KEY, someSession({ role })));
    return <AppTabs uuid={UUID} app={app} tab={tab} />;
  }
  await renderPage(Page, `/apps/$uuid/${at}`, `/apps/${UUID}/${at}`);
  return within(screen.getByRole("navigation", { name: "App" })).getAllByRole("link");
}

const names = (links: HTMLElement[]) => links.map(({ textContent }) => textContent);
const current = (links: HTMLElement[]) => names(links.filter((link) => link.getAttribute("aria-current") === "page"));

test("an app's tabs lead to its pages and mark the current one", async () => {
  const links = await tabsOf({ at: "mediation" });
  expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["Statistics", `/apps/${UUID}/performance`],
    ["Requests", `/apps/${UUID}/requests`],
    ["Mediation", `/apps/${UUID}/mediation`],
    ["Zones", `/apps/${UUID}/zones`],
    ["Keys", `/apps/${UUID}/dsp`],
    ["Integrate", `/apps/${UUID}/settings`],
  ]);
  expect(current(links)).toEqual(["Mediation"]);
});

test.each(["android", "ios", "amazon"] as const)(
  "apps of %s have no Keys tab, except on the page itself",
  async (platform) => {
    expect(names(await tabsOf({ platform }))).not.toContain("Keys");
    document.body.replaceChildren();
    expect(current(await tabsOf({ platform, at: "dsp" }))).toEqual(["Keys"]);
  },
);

test("a role sees only the tabs that it may open", async () => {
  expect(names(await tabsOf({ role: "SDEV" }))).toEqual(["Statistics", "Requests", "Integrate"]);
  document.body.replaceChildren();
  expect(names(await tabsOf({ role: "GST" }))).toEqual(["Statistics", "Requests"]);
});

test("a page without a tab of its own marks the tab that it belongs to", async () => {
  expect(current(await tabsOf({ at: "elsewhere", tab: "appPerformance" }))).toEqual(["Statistics"]);
});
