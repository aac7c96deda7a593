import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { somePager } from "../../../testing/some-apps.ts";
import { someUser } from "../testing/some-user.ts";
import { AdminUsersPage } from "../pages/admin-users-page.tsx";

const USER = someUser({ can_campaign: true, campaign_balance: 10_000_000 });

test("an admin credits an advertiser with a reason, and a refusal to take a credit back stands at its amount", async () => {
  const sent = answerCalls({
    "GET /admin/users.json": () => ({ users: [USER], pager: somePager() }),
    [`POST /admin/users/${USER.uuid}/credit`]: ({ body }) =>
      (body as { amount: number }).amount < 0
        ? refused(422, { amount: "At most $0.00 of the credits is left" })
        : { campaign_balance: 12_500_000 },
  });
  await renderPage(() => <AdminUsersPage />, "/admin/users");
  await userEvent.click(await screen.findByRole("button", { name: "Credit ada@example.com" }));
  await screen.findByText(/No money is received, so no invoice follows/);
  await userEvent.type(screen.getByLabelText("Amount in $"), "2.5");
  expect(screen.getByText(/and will have \$12.50/)).toBeTruthy();
  await userEvent.type(screen.getByLabelText("Reason, which the advertiser sees"), "Invalid traffic");
  await userEvent.click(screen.getByLabelText("Take a credit back"));
  expect(screen.getByText(/and will have \$7.50/)).toBeTruthy();
  expect(screen.queryByText(/so no invoice follows/)).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Take a credit back" }));
  expect(await screen.findByText("At most $0.00 of the credits is left")).toBeTruthy();
  await userEvent.click(screen.getByLabelText("Give a credit"));
  await userEvent.click(screen.getByRole("button", { name: "Give a credit" }));
  expect(await screen.findByText("The balance of ada@example.com is now $12.50")).toBeTruthy();
  const [taken, given] = sent(`POST /admin/users/${USER.uuid}/credit`);
  expect(taken?.body).toMatchObject({ amount: -2_500_000, reason: "Invalid traffic" });
  expect(given?.body).toMatchObject({ amount: 2_500_000, reason: "Invalid traffic" });
});
