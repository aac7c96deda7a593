import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderPage } from "../../../testing/render-page.tsx";
import { stubCalls } from "../../../testing/stub-calls.ts";
import { UnsubscribePage } from "./unsubscribe-page.tsx";

const open = () => renderPage(UnsubscribePage, "/unsubscribe/$link", "/unsubscribe/signed");
const press = () => userEvent.click(screen.getByRole("button", { name: "Unsubscribe" }));

test("opening an unsubscribe link changes nothing; the button unsubscribes", async () => {
  const sent = stubCalls({ "POST /unsubscribe/signed": [200, { ok: 1 }] });
  await open();
  await screen.findByRole("button", { name: "Unsubscribe" });
  expect(sent).toEqual([]);
  await press();
  await screen.findByText("You are unsubscribed");
  expect(sent).toEqual([{ call: "POST /unsubscribe/signed", body: undefined }]);
});

test("an invalid link says so, and the button stays", async () => {
  stubCalls({ "POST /unsubscribe/signed": [404, { error: "This unsubscribe link is not valid" }] });
  await open();
  await press();
  await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("This unsubscribe link is not valid"));
  expect(screen.getByRole("button", { name: "Unsubscribe" })).toBeTruthy();
});
