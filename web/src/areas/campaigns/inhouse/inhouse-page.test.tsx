import type { InhouseRow, Reply, listInhouse } from "@millrace/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { openPage } from "../testing/open-page.tsx";
import { UUID } from "../testing/some-campaign.ts";
import { TIDE, publisher } from "../testing/some-inhouse.ts";
import { InhousePage } from "./inhouse-page.tsx";

const LIST = "GET /api/inhouse";

const someRow = (change: Partial<InhouseRow> = {}): InhouseRow => ({
  uuid: UUID,
  title: "Try Tide",
  app: { uuid: TIDE, name: "Tide", platform: "android", logo_url: null },
  shown_in: ["Moss"],
  format: "image",
  price: 0,
  image_url: null,
  status: "active",
  campaign_status: "play",
  status_reason: null,
  impressions: 1200,
  clicks: 34,
  installs: 5,
  ...change,
});
const someList = (campaigns: InhouseRow[]): Reply<typeof listInhouse> => ({
  campaigns,
  totals: { impressions: 2400, clicks: 68, installs: 10 },
  pager: { current_page: 1, entries_per_page: 50, first_page: 1, last_page: 1 },
});
// Preloads lazy parts, so that no test waits for them.
beforeAll(() => import("./delete-inhouse.tsx"));

const openList = (at = "/inhouse") => openPage(() => <InhousePage />, "/inhouse", at, publisher());
const rowOf = async (title: string) => within((await screen.findByText(title)).closest("tr") as HTMLElement);

test("the list shows figures, totals and where each campaign runs, and is asked for the address's days", async () => {
  const rows = [
    someRow(),
    someRow({
      uuid: TIDE,
      title: "Play Moss",
      price: 1_500_000,
      app: null,
      shown_in: [],
      campaign_status: "pause",
      status_reason: "The promoted app was deleted.",
    }),
  ];
  const sent = answerCalls({ [LIST]: () => someList(rows) });
  await openList("/inhouse?ds=2026-11-01&de=2026-11-02");
  const tide = await rowOf("Try Tide");
  expect(tide.getByText("Promotes Tide")).toBeTruthy();
  expect(tide.getByText("Campaign started")).toBeTruthy();
  expect(tide.getAllByRole("cell").map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(["1.2K", "34", "5", "Moss", "Fills unsold placesImage"]),
  );
  const moss = await rowOf("Play Moss");
  expect(moss.getByText("The promoted app was deleted.")).toBeTruthy();
  expect(moss.getByText("Competes at $1.50")).toBeTruthy();
  expect((await rowOf("Total")).getByText("10")).toBeTruthy();
  expect(sent(LIST)[0]?.query.toString()).toContain("ds=2026-11-01&de=2026-11-02");
  expect(screen.getByRole("link", { name: "Add InHouse Campaign" }).getAttribute("href")).toBe("/inhouse/add");
});

test("a campaign is frozen and resumed by its switch, and deleted after a confirmation", async () => {
  let rows = [someRow()];
  const STATUS = `GET /inhouse/${UUID}/status`;
  const sent = answerCalls({
    [LIST]: () => someList(rows),
    [STATUS]: ({ query }) => {
      const status = query.get("status") as "active" | "frozen";
      rows = [someRow({ status, campaign_status: status === "active" ? "play" : "frozen" })];
      return { ok: 1 };
    },
    [`GET /inhouse/${UUID}/delete`]: () => {
      rows = [];
      return { ok: 1 };
    },
  });
  await openList();
  await userEvent.click(await screen.findByRole("switch", { name: "Run Try Tide" }));
  expect(await screen.findByText("Campaign frozen")).toBeTruthy();
  await userEvent.click(screen.getByRole("switch", { name: "Run Try Tide" }));
  expect(await screen.findByText("Campaign started")).toBeTruthy();
  expect(sent(STATUS).map(({ query }) => query.get("status"))).toEqual(["frozen", "active"]);
  await userEvent.click(screen.getByRole("button", { name: "Delete Try Tide" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete Try Tide?" }));
  await userEvent.click(dialog.getByRole("button", { name: "Delete campaign" }));
  expect(await screen.findByText("No cross promotions found")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Add the first cross promotion" })).toBeTruthy();
});

test("a list that fails to load can be retried", async () => {
  let fails = true;
  answerCalls({ [LIST]: () => (fails ? refused(400, "The store is away") : someList([someRow()])) });
  await openList();
  const again = await screen.findByRole("button", { name: "Try again?" });
  fails = false;
  await userEvent.click(again);
  expect((await rowOf("Try Tide")).getByText("Promotes Tide")).toBeTruthy();
});
