import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderPage } from "../../../testing/render-page.tsx";
import { stubCalls } from "../../../testing/stub-calls.ts";
import { RecoveryPage } from "../pages/auth-pages.tsx";

const open = () => renderPage(RecoveryPage, "/password-recovery");
const ask = async (email: string) => {
  await userEvent.type(screen.getByLabelText("Email"), `${email}{Enter}`);
};

test("the success shows the e-mail that the message was sent to", async () => {
  const sent = stubCalls({ "POST /remind.json": [200, { sent_to: "ada@example.com" }] });
  await open();
  await ask("ada@example.com");
  expect(await screen.findByText("ada@example.com")).toBeTruthy();
  expect(screen.getByText("Check your mail")).toBeTruthy();
  expect(sent).toEqual([{ call: "POST /remind.json", body: { email: "ada@example.com" } }]);
});

test("an error is shown under the button", async () => {
  stubCalls({ "POST /remind.json": [429, { error: "Too many attempts. Please wait a while and try again" }] });
  await open();
  await ask("ada@example.com");
  await waitFor(() => expect(screen.getByRole("alert").textContent).toMatch(/^Too many attempts/));
  expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("ada@example.com");
});
