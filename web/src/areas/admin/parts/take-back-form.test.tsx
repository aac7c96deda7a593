import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { someUser } from "../testing/some-user.ts";
import { TakeBackForm } from "./take-back-form.tsx";

const USER = someUser({ can_campaign: true, campaign_balance: 10_000_000_000 });
const [TYPED_WRONGLY, GONE] = ["00000000-0000-4000-8000-000000000002", "00000000-0000-4000-8000-000000000003"];

test("an admin chooses the refill that was a mistake, and takes back a part of it with a reason", async () => {
  const refill = { at: "2026-11-20T10:00:00Z", reason: "Invoice 7", amount: 10_000_000_000 };
  const sent = answerCalls({
    [`GET /admin/users/${USER.uuid}/refills.json`]: () => ({
      refills: [
        { ...refill, key: TYPED_WRONGLY, taken_back: 0 },
        { ...refill, key: GONE, taken_back: refill.amount },
      ],
    }),
    [`POST /admin/users/${USER.uuid}/take_back`]: () => ({ campaign_balance: 100_000_000 }),
  });
  await renderPage(() => <TakeBackForm user={USER} onDone={() => {}} />, "/admin/users");
  // The dialog starts there, even while the refills load.
  expect(screen.getByLabelText<HTMLSelectElement>("Refill").matches("[data-autofocus]:enabled")).toBe(true);
  await screen.findByRole("option", { name: "Nov 20th, 2026, $10,000.00, Invoice 7" });
  // What is taken back already cannot be chosen.
  expect(screen.getAllByRole("option", { name: /Invoice 7/ })).toHaveLength(1);
  await userEvent.selectOptions(screen.getByLabelText("Refill"), TYPED_WRONGLY);
  await userEvent.type(screen.getByLabelText("Amount in $"), "9900");
  await userEvent.type(screen.getByLabelText("Reason, which the advertiser sees"), "$100 was meant");
  await userEvent.click(screen.getByRole("button", { name: "Take back" }));
  expect(await screen.findByText("The balance of ada@example.com is now $100.00")).toBeTruthy();
  expect(sent(`POST /admin/users/${USER.uuid}/take_back`)[0]?.body).toMatchObject({
    refill: TYPED_WRONGLY,
    amount: 9_900_000_000,
    reason: "$100 was meant",
  });
});
