import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { somePager } from "../../../testing/some-apps.ts";
import { AdminUsersPage } from "../pages/admin-users-page.tsx";
import { someUser } from "../testing/some-user.ts";

const USER = someUser({ can_apps: true, can_campaign: true });

test.each([
  ["Adjust", "adjustment", "Adjust balance"],
  ["Refill", "refill", "Refill balance"],
  ["Credit", "credit", "Give a credit"],
])("%s books $10,000 and more only once the amount was entered twice", async (act, path, button) => {
  const sent = answerCalls({
    "GET /admin/users.json": () => ({ users: [USER], pager: somePager() }),
    [`POST /admin/users/${USER.uuid}/${path}`]: () => ({ balance: 1, campaign_balance: 1 }),
  });
  await renderPage(() => <AdminUsersPage />, "/admin/users");
  await userEvent.click(await screen.findByRole("button", { name: `${act} ada@example.com` }));
  const amount = await screen.findByLabelText("Amount in $");
  await userEvent.type(amount, "9999.99");
  expect(screen.queryByLabelText(/^The amount again/)).toBeNull();
  await userEvent.clear(amount);
  await userEvent.type(amount, "12500");
  await userEvent.type(screen.getByLabelText(/^Reason/), "A wrong digit");
  const again = screen.getByLabelText(/^The amount again/);
  await userEvent.type(again, "1250");
  await userEvent.click(screen.getByRole("button", { name: button }));
  expect(await screen.findByText("Enter the same amount again")).toBeTruthy();
  expect(sent(`POST /admin/users/${USER.uuid}/${path}`)).toEqual([]);
  await userEvent.type(again, "0.00");
  await userEvent.click(screen.getByRole("button", { name: button }));
  await screen.findByText(/^The balance of ada@example.com is now/);
  const [booked] = sent(`POST /admin/users/${USER.uuid}/${path}`);
  expect(booked?.body).toMatchObject({ amount: 12_500_000_000, reason: "A wrong digit" });
  expect(booked?.body).not.toHaveProperty("again");
});
