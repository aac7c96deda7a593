import type { RevenueShares } from "@millrace/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { someUser } from "../testing/some-user.ts";
import { ShareForm } from "./share-form.tsx";

const USER = someUser({ can_apps: true });
const PATH = `/admin/users/${USER.uuid}/share`;
const SHARES: RevenueShares = {
  share_ppm: 825_000,
  platform_ppm: 800_000,
  shares: [
    { from: "2026-11-01", share_ppm: 825_000, reason: "A good year", set_at: "2026-10-02T10:00:00Z", when: "now" },
  ],
};

async function open(answers: Parameters<typeof answerCalls>[0] = {}) {
  const sent = answerCalls({
    [`GET /admin/users/${USER.uuid}/shares.json`]: () => SHARES,
    [`POST ${PATH}`]: () => SHARES,
    ...answers,
  });
  let isDone = false;
  await renderPage(() => <ShareForm user={USER} onDone={() => (isDone = true)} />, "/admin/users");
  const fill = async (share: string, from: string, reason: string) => {
    for (const [label, text] of [
      ["New share in %", share],
      ["From this day on (UTC)", from],
      ["Reason, which the publisher sees", reason],
    ] as const) {
      await userEvent.clear(screen.getByLabelText(label));
      if (text !== "") await userEvent.type(screen.getByLabelText(label), text);
    }
    await userEvent.click(screen.getByRole("button", { name: "Set share" }));
  };
  return { fill, isDone: () => isDone, bodies: () => sent(`POST ${PATH}`).map(({ body }) => body) };
}

test("the form shows the shares of an account, and sends a percentage in parts per million", async () => {
  const form = await open();
  expect(await screen.findByText("ada@example.com gets 82.5% of the cleared prices today.")).toBeTruthy();
  const rows = within(screen.getByRole("table")).getAllByRole("row").slice(1);
  expect(rows.map((row) => [...(row as HTMLTableRowElement).cells].map(({ textContent }) => textContent))).toEqual([
    ["Nov 1st, 2026in force", "82.5%", "A good year"],
    ["Before", "80%", "The default share, for publishers without one of their own"],
  ]);
  await form.fill("84.125 %", "2035-01-01", "Agreed");
  expect(await screen.findByText("ada@example.com gets 84.125% from Jan 1st, 2035 on")).toBeTruthy();
  expect(form.bodies()).toEqual([{ share_ppm: 841_250, from: "2035-01-01", reason: "Agreed" }]);
  expect(form.isDone()).toBe(true);
});

test.each([
  ["", "2035-01-01", "This field is required"],
  ["$80", "2035-01-01", "Add a percentage, with at most 4 decimals"],
  ["80.00001", "2035-01-01", "Add a percentage, with at most 4 decimals"],
  ["100.01", "2035-01-01", "Use 0 to 100 percent"],
  ["80", "", "This field is required"],
])("a share of %j from %j on is refused at its field: %s", async (share, from, error) => {
  const form = await open();
  await form.fill(share, from, "Agreed");
  expect(screen.getByText(error)).toBeTruthy();
  expect(form.bodies()).toEqual([]);
});

test("a day that has begun meanwhile is refused by the server at its field", async () => {
  const form = await open({ [`POST ${PATH}`]: () => refused(422, { from: "Choose a day after today (UTC)" }) });
  await form.fill("80", "2035-01-01", "Agreed");
  expect(await screen.findByText("Choose a day after today (UTC)")).toBeTruthy();
  expect(form.isDone()).toBe(false);
});
