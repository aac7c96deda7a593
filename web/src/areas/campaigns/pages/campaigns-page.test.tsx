import type { CampaignRow, CampaignStatus } from "@millrace/contract";
import { QueryClient } from "@tanstack/react-query";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { parseSearch } from "../../../shared/filters/address.ts";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { advertiser, openPage } from "../testing/open-page.tsx";
import { UUID, someList, someRow } from "../testing/some-campaign.ts";
import { CampaignsPage, prefetch } from "./campaigns-page.tsx";

const LIST = "GET /campaign";
const STATUS = `POST /campaign/${UUID}/status`;
const open = (at = "/campaign?ds=2026-11-01&de=2026-11-02", session = advertiser()) =>
  openPage(() => <CampaignsPage />, "/campaign", at, session);
const rowOf = async (name: string) => within((await screen.findByText(name)).closest("tr")!);

test("a campaign is listed with its figures, its state and the reason, and there is a total", async () => {
  const sent = answerCalls({ [LIST]: () => someList([someRow()]) });
  await open();
  const row = await rowOf("Autumn");
  expect(
    row
      .getAllByRole("cell")
      .slice(0, 5)
      .map(({ textContent }) => textContent),
  ).toEqual(["$1.25", "1.2K", "34", "5", "$250.00 a dayno limit in all"]);
  expect(row.getByText("Android · com.example.tide")).toBeTruthy();
  expect(row.getByText("Its creatives wait for a moderator.")).toBeTruthy();
  expect(row.getByText("new")).toBeTruthy();
  expect(row.getByText("blocked")).toBeTruthy();
  expect(row.getByRole("link", { name: "Edit Autumn" }).getAttribute("href")).toBe(`/campaign/${UUID}/edit`);
  expect(screen.getByRole("rowheader", { name: "Total" }).closest("tr")?.textContent).toContain("$2.50");
  expect(Object.fromEntries(sent(LIST)[0]?.query ?? [])).toMatchObject({ ds: "2026-11-01", de: "2026-11-02" });
});

test.each<[CampaignStatus, string]>([
  ["play", "Campaign started"],
  ["pause", "Campaign suspended"],
  ["wait", "Campaign waiting"],
  ["done", "Campaign over"],
  ["frozen", "Campaign frozen"],
])("the indicator of %s says: %s", async (campaign_status, text) => {
  answerCalls({ [LIST]: () => someList([someRow({ campaign_status })]) });
  await open();
  expect((await rowOf("Autumn")).getByText(text)).toBeTruthy();
});

test("the page says where a balance is refilled", async () => {
  answerCalls({ [LIST]: () => someList([someRow()]) });
  await open();
  expect(await screen.findByRole("link", { name: "contact support" })).toBeTruthy();
});

test("below its total, the list says what deleted campaigns cost", async () => {
  answerCalls({ [LIST]: () => ({ ...someList([someRow()]), deleted_costs: 1_000_500_000 }) });
  await open();
  const note = await screen.findByText(/Deleted campaigns cost/);
  expect(note.textContent).toContain(
    "Deleted campaigns cost another $1,000.50 in these days. Performance counts them too.",
  );
  expect(within(note).getByRole("link", { name: "Performance" }).getAttribute("href")).toBe(
    "/campaign/performance?ds=2026-11-01&de=2026-11-02",
  );
});

test("the switch freezes a running campaign, and makes a frozen one active", async () => {
  let row = someRow({ campaign_status: "play", status_reason: null });
  const sent = answerCalls({
    [LIST]: () => someList([row]),
    [STATUS]: ({ query }) => {
      const status = query.get("status") as CampaignRow["status"];
      row = someRow({ status, campaign_status: status === "active" ? "play" : "frozen", status_reason: null });
      return { ok: 1 };
    },
  });
  await open();
  const run = () => screen.findByRole("switch", { name: "Run Autumn" });
  expect((await run()).getAttribute("aria-checked")).toBe("true");
  await userEvent.click(await run());
  expect(await screen.findByText("Campaign frozen")).toBeTruthy();
  expect((await run()).getAttribute("aria-checked")).toBe("false");
  await userEvent.click(await run());
  expect(await screen.findByText("Campaign started")).toBeTruthy();
  expect(sent(STATUS).map(({ query }) => query.get("status"))).toEqual(["frozen", "active"]);
});

test("a refused start shows its message under that campaign alone, until the next try", async () => {
  const other = someRow({ uuid: "00000000-0000-4000-8000-000000000022", name: "Winter", status: "frozen" });
  let refuses = true;
  answerCalls({
    [LIST]: () => someList([someRow({ status: "frozen", campaign_status: "frozen" }), other]),
    [STATUS]: () => (refuses ? refused(409, "Your campaign balance is empty") : { ok: 1 }),
  });
  await open();
  await userEvent.click(await screen.findByRole("switch", { name: "Run Autumn" }));
  expect(await (await rowOf("Autumn")).findByText("Your campaign balance is empty")).toBeTruthy();
  expect((await rowOf("Winter")).queryByText("Your campaign balance is empty")).toBeNull();
  refuses = false;
  await userEvent.click(screen.getByRole("switch", { name: "Run Autumn" }));
  await waitFor(() => expect(screen.queryByText("Your campaign balance is empty")).toBeNull());
});

test("a campaign is deleted after a confirmation, and a failure is shown in it", async () => {
  let rows = [someRow()];
  let fails = true;
  const sent = answerCalls({
    [LIST]: () => someList(rows),
    [STATUS]: () => {
      if (fails) return refused(500, "The store is away");
      rows = [];
      return { ok: 1 };
    },
  });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Delete Autumn" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete Autumn?" }));
  await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent(STATUS)).toEqual([]);

  await userEvent.click(screen.getByRole("button", { name: "Delete Autumn" }));
  const again = within(await screen.findByRole("dialog", { name: "Delete Autumn?" }));
  await userEvent.click(again.getByRole("button", { name: "Delete campaign" }));
  expect(await again.findByText("The store is away")).toBeTruthy();
  fails = false;
  await userEvent.click(again.getByRole("button", { name: "Delete campaign" }));
  expect(await screen.findByText("No campaigns found")).toBeTruthy();
  expect(sent(STATUS).at(-1)?.query.get("status")).toBe("delete");
});

test("a user who may only read sees the list without switches and actions", async () => {
  answerCalls({ [LIST]: () => someList([someRow()]) });
  await open("/campaign", advertiser({ role: "GST" }));
  await rowOf("Autumn");
  expect(screen.queryByRole("switch")).toBeNull();
  expect(screen.queryByRole("button", { name: "Delete Autumn" })).toBeNull();
  expect(screen.queryByRole("link", { name: "Add Campaign" })).toBeNull();
  expect(screen.queryByRole("columnheader", { name: "Actions" })).toBeNull();
});

test("an account without campaigns is led to its first one", async () => {
  answerCalls({ [LIST]: () => someList([]) });
  await open();
  expect(await screen.findByText("No campaigns found")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Add the first campaign" }).getAttribute("href")).toBe("/campaign/add");
});

test("a search without results says what was searched, and can be taken back", async () => {
  const sent = answerCalls({ [LIST]: ({ query }) => someList(query.get("search") === "" ? [someRow()] : []) });
  const { router } = await open("/campaign?ds=2026-11-01&de=2026-11-02&p=3");
  await rowOf("Autumn");
  await userEvent.type(screen.getByRole("searchbox", { name: "Search campaign" }), "zz{Enter}");
  expect(await screen.findByText("No campaign of this account has “zz” in its name.")).toBeTruthy();
  expect(router.state.location.searchStr).toContain("search=zz");
  expect(sent(LIST).at(-1)?.query.get("p")).toBe("0");
  await userEvent.click(screen.getByRole("button", { name: "Show all campaigns" }));
  await rowOf("Autumn");
});

test("a list that fails to load can be retried", async () => {
  let fails = true;
  answerCalls({ [LIST]: () => (fails ? refused(400, "The store is away") : someList([someRow()])) });
  await open();
  const again = await screen.findByRole("button", { name: "Try again?" });
  fails = false;
  await userEvent.click(again);
  expect((await rowOf("Autumn")).getByText("$1.25")).toBeTruthy();
});

test("the page shows the prefetched list", async () => {
  answerCalls({ [LIST]: () => someList([someRow()]) });
  const address = "ds=2026-11-01&de=2026-11-02&search=tide";
  const ahead = new QueryClient();
  prefetch(ahead, { params: {}, search: parseSearch(address) });
  const { queryClient } = await open(`/campaign?${address}`);
  await rowOf("Autumn");
  const [asked] = ahead.getQueryCache().getAll();
  expect(queryClient.getQueryCache().get(asked?.queryHash ?? "")).toBeTruthy();
});
