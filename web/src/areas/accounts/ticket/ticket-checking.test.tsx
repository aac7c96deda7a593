import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderPage } from "../../../testing/render-page.tsx";
import { TicketPage } from "../pages/ticket-pages.tsx";

afterEach(() => vi.unstubAllGlobals());

test("the page says that a link is being checked and shows no form", async () => {
  let answer: (reply: Response) => void = () => {};
  const site = {
    operator: { name: "Example Ltd", email: null, address: null },
    social: [],
    demo: false,
    publisher_share: 80,
    mailbox: null,
  };
  vi.stubGlobal("fetch", (address: string) =>
    address === "/site.json"
      ? Promise.resolve(Response.json(site))
      : new Promise<Response>((resolve) => (answer = resolve)),
  );
  await renderPage(TicketPage, "/ticket/$ticket", "/ticket/abc");
  expect(await screen.findByText("Checking link ...")).toBeTruthy();
  expect(screen.queryByRole("textbox")).toBeNull();
  answer(Response.json({ type: "reset_pass", has_pass: false }));
  expect(await screen.findByLabelText("New password")).toBeTruthy();
  expect(screen.queryByText("Checking link ...")).toBeNull();
});
