import type { NewsMail } from "@millrace/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { somePager } from "../../../testing/some-apps.ts";
import { AdminNewsPage } from "./admin-news-page.tsx";

const open = () => renderPage(() => <AdminNewsPage />, "/admin/news");
const NEWS: NewsMail = {
  uuid: "00000000-0000-4000-8000-000000000001",
  subject: "A new SDK",
  message: "It is smaller.",
  sent_at: "2026-11-19T14:05:59Z",
  sent_by: "desk@example.com",
  counts: { people: 7, sent: 3, waiting: 2, failed: 0, refused: 1, left_out: 1, unknown: 0 },
};

test("sent news is listed with its counts and can be read", async () => {
  answerCalls({ "GET /admin/news.json": () => ({ news: [NEWS], subscribers: 7, pager: somePager() }) });
  await open();
  const counts = await screen.findByText("3 of 7 sent, 2 waiting, 1 refused, 1 left out");
  expect(counts.closest("tr")?.textContent).toContain("A new SDK");
  await userEvent.click(screen.getByRole("button", { name: "Read “A new SDK”" }));
  const dialog = within(await screen.findByRole("dialog", { name: "A new SDK" }));
  expect(dialog.getByText("It is smaller.")).toBeTruthy();
  expect(dialog.getByText("Sent Nov 19th, 2026, 14:05 UTC by desk@example.com:")).toBeTruthy();
});

test("failed and unknown mails are sent again from the news; a refusal says why", async () => {
  let refuses = true;
  const counts = { people: 9, sent: 6, waiting: 0, failed: 2, refused: 0, left_out: 0, unknown: 1 };
  const sent = answerCalls({
    "GET /admin/news.json": () => ({ news: [{ ...NEWS, counts }], subscribers: 9, pager: somePager() }),
    [`POST /admin/news/${NEWS.uuid}/send_again`]: () =>
      refuses ? refused(422, "No such mail is left to send again") : { people: 2 },
  });
  await open();
  await screen.findByText("6 of 9 sent, 2 failed, 1 unknown");
  await userEvent.click(screen.getByRole("button", { name: "Read “A new SDK”" }));
  const dialog = within(await screen.findByRole("dialog", { name: "A new SDK" }));
  dialog.getByText(/Mail to 2 people failed: the mail server did not accept it within half a day/);
  dialog.getByText(/while sending mail to 1 person. They may already have received it/);
  await userEvent.click(dialog.getByRole("button", { name: "Send again anyway" }));
  await dialog.findByText("No such mail is left to send again");
  refuses = false;
  await userEvent.click(dialog.getByRole("button", { name: "Send again" }));
  await screen.findByText("Sending the news to 2 people");
  const bodies = sent(`POST /admin/news/${NEWS.uuid}/send_again`).map(({ body }) => body);
  expect(bodies).toEqual([{ state: "unknown" }, { state: "failed" }]);
});

test("the form shows the number of recipients first; a refusal keeps the input", async () => {
  let refuses = true;
  const sent = answerCalls({
    "GET /admin/news.json": () => ({ news: [], subscribers: 7, pager: somePager() }),
    "POST /admin/news.json": () => (refuses ? refused(503, "Please try again in a moment") : { people: 7 }),
  });
  await open();
  await screen.findByText("No news has been sent yet.");
  await userEvent.click(screen.getByRole("button", { name: "Write news" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Write news" }));
  await dialog.findByText("This will be sent to 7 people and cannot be undone.");
  const press = () => userEvent.click(dialog.getByRole("button", { name: "Send news" }));
  await press();
  expect(dialog.getAllByText("This field is required")).toHaveLength(2);
  await userEvent.type(dialog.getByLabelText("Subject"), "A new SDK");
  await userEvent.type(dialog.getByLabelText("Text"), "It is smaller.");
  await press();
  await dialog.findByText("Please try again in a moment");
  refuses = false;
  await press();
  await screen.findByText("Sending the news to 7 people");
  const bodies = sent("POST /admin/news.json").map(({ body }) => body);
  // The key is the same, so a retry after a lost reply sends the news once.
  expect(bodies[1]).toEqual(bodies[0]);
  expect(bodies[0]).toMatchObject({ subject: "A new SDK", message: "It is smaller." });
});
