import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answerCalls } from "../../../testing/answer-calls.ts";
import { AppMediationPage } from "../pages/app-mediation-page.tsx";
import { UUID, openPage, someSettings, withTitle } from "../testing/open-page.tsx";
import { someBids, someMediation } from "../testing/some-mediation.ts";

test("campaigns are listed like a partner, without keys and without a switch, and are not counted with those that have one", async () => {
  const own = { id: "campaigns", name: "Campaigns", keyed: [], active: true, enabled: true, asked: 40, revenue: 900 };
  answerCalls({
    [`GET /apps/${UUID}/settings.json`]: () => someSettings(),
    [`GET /apps/${UUID}/mediation.json`]: () => someMediation(({ id }) => (id === "gamma" ? own : {})),
    [`GET /apps/${UUID}/bids.json`]: () => someBids(),
  });
  await openPage(withTitle(AppMediationPage), { path: "/apps/$uuid/mediation", at: `/apps/${UUID}/mediation` });
  const partners = within(await screen.findByRole("region", { name: "Partners" }));
  const row = within((await partners.findByText("Campaigns")).closest("tr")!);
  expect(row.getByText("advertisers of this platform")).toBeTruthy();
  expect([row.queryByRole("switch"), row.queryByRole("link", { name: /Add keys/ })]).toEqual([null, null]);
  const switches = partners.getAllByRole("switch");
  const on = switches.filter((one) => one.getAttribute("aria-checked") === "true" || (one as HTMLInputElement).checked);
  expect(partners.getByText(`${on.length} on, ${switches.length - on.length} off`)).toBeTruthy();
});
