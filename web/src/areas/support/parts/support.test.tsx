import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { stubCalls } from "../../../testing/stub-calls.ts";
import { Support } from "./support.tsx";

/** The toggle event of popovers, which jsdom lacks. */
const turn = (newState: "open" | "closed") =>
  fireEvent(
    screen.getByRole("dialog", { hidden: true }),
    Object.assign(new Event("toggle"), { oldState: newState === "open" ? "closed" : "open", newState }),
  );

const message = () => screen.findByLabelText<HTMLTextAreaElement>("Message");

test("an unsent message survives closing the panel; a sent message does not", async () => {
  answerCalls({
    "GET /support.json": () => ({ chat: null }),
    "POST /support.json": () => ({ message: "It is on its way" }),
  });
  await renderPage(Support, "/apps");
  await screen.findByRole("button", { name: "Support" });
  turn("open");
  await userEvent.type(await message(), "My app shows no ads");
  turn("closed");
  turn("open");
  expect((await message()).value).toBe("My app shows no ads");
  expect(document.activeElement).toBe(await message());
  await userEvent.click(screen.getByText("Send message"));
  await screen.findByText("It is on its way");
  turn("closed");
  turn("open");
  expect((await message()).value).toBe("");
});

test("the support page has its own form and no support panel", async () => {
  stubCalls({ "GET /support.json": [200, { chat: null }] });
  await renderPage(
    () => (
      <>
        <p>the page</p>
        <Support />
      </>
    ),
    "/support",
    "/support",
  );
  await screen.findByText("the page");
  await waitFor(() => expect(document.querySelector("[popovertarget]")).not.toBeNull());
  expect(screen.queryByRole("button", { name: "Support" })).toBeNull();
});
