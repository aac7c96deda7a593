import { type AppAds, TEXTS } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { openPage } from "../testing/open-page.tsx";
import { AppAdsPage } from "./app-ads-page.tsx";

const ADS: AppAds = {
  domain: "studio.example",
  is_confidential: false,
  revision: "first",
  lines: [
    { line: "OWNERDOMAIN=studio.example", partners: [] },
    { line: "alpha.example, 12, DIRECT, abc", partners: ["Alpha", "Beta"] },
  ],
  left_out: [],
};

async function open(ads: AppAds = ADS, more: Parameters<typeof answerCalls>[0] = {}) {
  const sent = answerCalls({ "GET /apps/app_ads.json": () => ads, ...more });
  await openPage(() => <AppAdsPage />, { path: "/apps/app-ads" });
  return sent;
}
const block = async (name: string) => within(await screen.findByRole("region", { name }));

test("each line is shown with the partners that need it, and the whole file can be copied or downloaded", async () => {
  const user = userEvent.setup();
  await open();
  const file = await block("app-ads.txt");
  expect((await file.findByText("alpha.example, 12, DIRECT, abc")).closest("li")?.textContent).toContain("Alpha, Beta");
  expect(file.getByRole("link", { name: "Download" }).getAttribute("href")).toBe("/app-ads.txt");
  await user.click(file.getByRole("button", { name: "Copy all" }));
  expect(await file.findByText("Copied")).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe("OWNERDOMAIN=studio.example\nalpha.example, 12, DIRECT, abc\n");
});

test("lines with missing keys are listed, even if the file has no line", async () => {
  const left = { partner: "Beta", line: "beta.example, {seat}, RESELLER, {cert}", keys: ["seat", "cert"] };
  await open({ ...ADS, lines: [], left_out: [left] });
  const lacking = await block("Lines without keys");
  expect(lacking.getByText(left.line).closest("li")?.textContent).toContain("Beta: seat, cert are missing");
  expect(screen.queryByText("No lines found")).toBeNull();
  expect(screen.queryByRole("link", { name: "Download" })).toBeNull();
});

test("an empty file explains where lines come from", async () => {
  await open({ ...ADS, lines: [] });
  expect(await screen.findByText("No lines found")).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Download" })).toBeNull();
});

test("the developer's site is saved as a domain", async () => {
  const sent = await open(ADS, {
    "PUT /apps/app_ads.json": ({ body }) => ({ ...ADS, ...(body as object) }),
  });
  const site = await block("Developer site");
  const domain = await site.findByLabelText("Domain");
  await userEvent.clear(domain);
  await userEvent.type(domain, "https://new.example/");
  await userEvent.click(site.getByRole("button", { name: "Save developer site" }));
  expect(site.getByText("Use a domain like studio.example")).toBeTruthy();
  await userEvent.clear(domain);
  await userEvent.type(domain, "new.example");
  await userEvent.click(site.getByLabelText("Keep the account's name out of sellers.json"));
  await userEvent.click(site.getByRole("button", { name: "Save developer site" }));
  expect(await screen.findByText("Developer site saved")).toBeTruthy();
  expect(sent("PUT /apps/app_ads.json").map(({ body }) => body)).toEqual([
    { domain: "new.example", is_confidential: true },
  ]);
});

test("the site's form does not overwrite somebody else's change, and can be reloaded", async () => {
  let now = ADS;
  let isDown = false;
  const sent = await open(ADS, {
    "GET /apps/app_ads.json": () => (isDown ? refused(503, "Later, please") : now),
    "PUT /apps/app_ads.json": ({ query, body }) => {
      if (query.get("revision") !== now.revision) return refused(409, TEXTS.stale);
      return (now = { ...now, ...(body as object), revision: `${now.revision}+` });
    },
  });
  const site = await block("Developer site");
  const save = () => userEvent.click(site.getByRole("button", { name: "Save developer site" }));
  await userEvent.type(await site.findByLabelText("Domain"), "s");
  now = { ...now, is_confidential: true, revision: "theirs" };
  await save();
  expect(await site.findByText(TEXTS.stale)).toBeTruthy();
  // A failed reload keeps what was entered.
  isDown = true;
  await userEvent.click(site.getByRole("button", { name: "Reload" }));
  expect(await screen.findByText("Later, please")).toBeTruthy();
  expect(site.getByLabelText<HTMLInputElement>("Domain").value).toBe("studio.examples");
  isDown = false;
  await userEvent.click(site.getByRole("button", { name: "Reload" }));
  await waitFor(() => expect(site.getByLabelText<HTMLInputElement>("Domain").value).toBe("studio.example"));
  expect(site.getByRole<HTMLInputElement>("checkbox").checked).toBe(true);
  expect(site.queryByText(TEXTS.stale)).toBeNull();
  for (const letter of ["a", "b"]) {
    await userEvent.type(site.getByLabelText("Domain"), letter);
    await save();
    await waitFor(() => expect(now.domain?.endsWith(letter)).toBe(true));
  }
  expect(sent("PUT /apps/app_ads.json").map(({ query }) => query.get("revision"))).toEqual([
    "first",
    "theirs",
    "theirs+",
  ]);
});

test("the check tells which lines are missing and what revenue depends on them", async () => {
  await open(ADS, {
    "POST /apps/app_ads_check": () => ({
      url: "https://studio.example/app-ads.txt",
      problem: null,
      found: 1,
      missing: [{ line: "alpha.example, 12, DIRECT, abc", partners: ["Alpha"], revenue: 12_340_000 }],
      revenue_at_risk: 12_340_000,
    }),
  });
  await userEvent.click(await screen.findByRole("button", { name: "Check now" }));
  const check = await block("Check");
  expect((await check.findByText(/1 line is missing, 1 present/)).textContent).toBe(
    "1 line is missing, 1 present. $12.34 of the last 30 days came from partners with a missing line.",
  );
  expect(check.getByRole("row", { name: /alpha\.example/ }).textContent).toContain("$12.34");
});

test("an unreadable file says why, a complete file says so, and a failure can be retried", async () => {
  const replies = [
    refused(503, "Later, please"),
    {
      url: "https://studio.example/app-ads.txt",
      problem: "The site answers 404",
      found: 0,
      missing: [],
      revenue_at_risk: 0,
    },
    { url: "https://studio.example/app-ads.txt", problem: null, found: 2, missing: [], revenue_at_risk: 0 },
    { url: "https://studio.example/app-ads.txt", problem: null, found: 1, missing: [], revenue_at_risk: 0 },
  ];
  await open(ADS, { "POST /apps/app_ads_check": () => replies.shift() });
  await userEvent.click(await screen.findByRole("button", { name: "Check now" }));
  expect(await screen.findByText("Later, please")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("The site answers 404")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Check again" }));
  expect(await screen.findByText("All 2 lines are present.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Check again" }));
  expect(await screen.findByText("The only line is present.")).toBeTruthy();
});

test("without a domain there is nothing to check", async () => {
  await open({ ...ADS, domain: null });
  expect((await screen.findByRole<HTMLButtonElement>("button", { name: "Check now" })).disabled).toBe(true);
  expect(screen.getByText(/Save the domain of your developer site first/)).toBeTruthy();
});
