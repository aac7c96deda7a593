import type { ReviewedCreative } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { AdminCreativesPage } from "./admin-creatives-page.tsx";

const QUEUE = "GET /admin/creatives.json";

const creative = (nth: number): ReviewedCreative => ({
  c_id: `00000000-0000-4000-8000-00000000003${nth}`,
  campaign: `Campaign ${nth}`,
  app: {
    platform: "android",
    store_id: "com.example.tide",
    bundle_id: "com.example.tide",
    logo_url: "https://store.example/icon.png",
  },
  owner: { uuid: "00000000-0000-4000-8000-000000000001", name: "Ada", email: "ada@example.com" },
  format: "image",
  store_id: "com.example.tide",
  country: "FR",
  title: "",
  skip_timer: 0,
  cta: "Play",
  click_url: "https://shop.example/tide",
  tracking_url: "",
  click_link: "https://track.example/{click_id}",
  view_link: "",
  image: { url: "/files/a.png", size: 3, width: 320, height: 480, video: null },
  status: "edited",
  waiting_since: new Date(Date.now() - 3 * 3_600_000).toISOString(),
  decided_at: null,
  categories: [],
  for_children: false,
});

async function open(answers: Parameters<typeof answerCalls>[0]) {
  const sent = answerCalls(answers);
  const path = "/admin/moderation/creatives";
  await renderPage(() => <AdminCreativesPage />, path);
  return sent;
}
const pager = { current_page: 1, entries_per_page: 50, first_page: 1, last_page: 1 };
const decided = (nth: number) => `POST /admin/moderation/creatives/${creative(nth).c_id}`;

test("a creative is approved, or blocked with a reason; its addresses are text", async () => {
  let waiting = [creative(1), creative(2)];
  const decide = (nth: number) => () => {
    waiting = waiting.filter(({ c_id }) => c_id !== creative(nth).c_id);
    return { ok: 1 };
  };
  const sent = await open({
    [QUEUE]: () => ({ creatives: waiting, pager }),
    [decided(1)]: decide(1),
    [decided(2)]: decide(2),
  });
  const since = waiting[0]?.waiting_since;
  expect(await screen.findAllByText("3 hours")).toHaveLength(2);
  expect(screen.getAllByText("https://shop.example/tide")).toHaveLength(2);
  expect(screen.queryByRole("link", { name: /shop\.example/ })).toBeNull();

  await userEvent.click(screen.getByRole("button", { name: "Block com.example.tide of Campaign 1" }));
  const block = within(await screen.findByRole("dialog", { name: "Block creative" }));
  expect(block.getByAltText("The creative of Campaign 1").getAttribute("src")).toBe("/files/a.png");
  expect(block.getByText("https://track.example/{click_id}")).toBeTruthy();
  expect(block.getByText("France")).toBeTruthy();
  expect(block.getByText("com.example.tide, Android")).toBeTruthy();
  expect(block.getByAltText("The icon of com.example.tide").getAttribute("src")).toBe("https://store.example/icon.png");
  expect(block.queryByLabelText(/Suitable for children/)).toBeNull();
  await userEvent.click(block.getByRole("button", { name: "Block creative" }));
  expect(block.getByText("This field is required")).toBeTruthy();
  await userEvent.type(block.getByLabelText("Reason"), "Misleading");
  await userEvent.click(block.getByRole("button", { name: "Block creative" }));
  await waitFor(() => expect(screen.queryByText("Campaign 1")).toBeNull());
  expect(sent(decided(1))[0]?.body).toEqual({
    decision: "block",
    reason: "Misleading",
    waiting_since: since,
    decided_at: null,
  });

  await userEvent.click(screen.getByRole("button", { name: "Approve com.example.tide of Campaign 2" }));
  const approve = within(await screen.findByRole("dialog", { name: "Approve creative" }));
  await userEvent.click(approve.getByRole("checkbox", { name: /Suitable for children/ }));
  await userEvent.click(approve.getByRole("button", { name: "Choose categories" }));
  await userEvent.click(await screen.findByRole("option", { name: "Arts & Entertainment" }));
  await userEvent.click(approve.getByRole("button", { name: "Approve creative" }));
  expect(await screen.findByText("No creative is waiting for review.")).toBeTruthy();
  expect(sent(decided(2))[0]?.body).toMatchObject({
    decision: "approve",
    reason: "",
    categories: ["IAB1"],
    for_children: true,
  });
});

test("an approved creative is blocked, and its findings are changed, from the list of approved ones", async () => {
  const approved = {
    ...creative(1),
    status: "approved",
    decided_at: "2026-11-20T10:00:00Z",
    categories: ["IAB1"],
    for_children: true,
  };
  const sent = await open({
    [QUEUE]: ({ query }) => ({ creatives: query.get("decision") === "approved" ? [approved] : [], pager }),
    [decided(1)]: () => ({ ok: 1 }),
  });
  await userEvent.click(await screen.findByRole("button", { name: "Approved" }));
  await userEvent.click(await screen.findByRole("button", { name: "Change com.example.tide of Campaign 1" }));
  const approve = within(await screen.findByRole("dialog", { name: "Approve creative" }));
  await userEvent.click(approve.getByRole("checkbox", { name: /Suitable for children/ }));
  await userEvent.click(approve.getByRole("button", { name: "Approve creative" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent(decided(1))[0]?.body).toMatchObject({ decision: "approve", categories: ["IAB1"], for_children: false });
  await userEvent.click(screen.getByRole("button", { name: "Block com.example.tide of Campaign 1" }));
  const block = within(await screen.findByRole("dialog", { name: "Block creative" }));
  await userEvent.type(block.getByLabelText("Reason"), "Its page serves malware");
  await userEvent.click(block.getByRole("button", { name: "Block creative" }));
  await waitFor(() => expect(sent(decided(1))).toHaveLength(2));
});

test("a decision on a creative that was edited since is refused with the server's words, and the list is loaded again", async () => {
  const sent = await open({
    [QUEUE]: () => ({ creatives: [creative(1)], pager }),
    [decided(1)]: () => refused(409, "Its owner has edited this creative"),
  });
  await userEvent.click(await screen.findByRole("button", { name: /^Approve com/ }));
  const approve = within(await screen.findByRole("dialog", { name: "Approve creative" }));
  await userEvent.click(approve.getByRole("button", { name: "Approve creative" }));
  expect(await approve.findByText("Its owner has edited this creative")).toBeTruthy();
  await waitFor(() => expect(sent(QUEUE)).toHaveLength(2));
});

test("both lists of the moderation are a click apart, and titles tell which is open", async () => {
  await open({ [QUEUE]: () => ({ creatives: [], pager }) });
  const lists = within(await screen.findByRole("navigation", { name: "Moderation" }));
  expect(lists.getByRole("link", { name: "New apps" }).getAttribute("href")).toBe("/admin/moderation");
  expect(lists.getByRole("link", { name: "Creatives" }).getAttribute("aria-current")).toBe("page");
  expect(document.title).toBe("Moderation: creatives · Millrace");
});
