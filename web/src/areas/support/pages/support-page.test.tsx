import { type OwnSupportMessage, TEXTS } from "@millrace/contract";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { SupportPage } from "./support-page.tsx";

const MESSAGE: OwnSupportMessage = {
  uuid: "00000000-0000-4000-8000-000000000001",
  created_at: "2026-11-19T14:05:00.000Z",
  message: "My app\nshows <b>nothing</b>",
  state: "answered",
  reply: "Please update the SDK",
  replied_at: "2026-11-20T08:00:00.000Z",
};
const open = () => renderPage(SupportPage, "/support", "/support?from=bell");

test("a message is sent with the page's address, listed, and the form is cleared", async () => {
  const messages: OwnSupportMessage[] = [];
  const sent = answerCalls({
    "GET /support/messages.json": () => ({ messages }),
    "POST /support.json": ({ body }) => {
      const { message } = body as { message: string };
      messages.unshift({ ...MESSAGE, message, state: "open", reply: null, replied_at: null });
      return { message: "It is on its way" };
    },
  });
  await open();
  expect(await screen.findByText("No messages found")).toBeTruthy();
  const field = screen.getByLabelText<HTMLTextAreaElement>("Message");
  await userEvent.click(screen.getByRole("button", { name: "Send message" }));
  expect(screen.getByText("This field is required")).toBeTruthy();
  await userEvent.type(field, "Please refill my balance");
  await userEvent.click(screen.getByRole("button", { name: "Send message" }));
  expect(await screen.findByText("It is on its way")).toBeTruthy();
  expect(await screen.findByText("Waiting for an answer")).toBeTruthy();
  expect(field.value).toBe("");
  expect(sent("POST /support.json")[0]?.body).toMatchObject({ message: "Please refill my balance" });
});

test("the same text has the same key until it has arrived, and another text a new one", async () => {
  const replies = [new Response("", { status: 502 }), new Response("", { status: 502 })];
  const sent = answerCalls({
    "GET /support/messages.json": () => ({ messages: [] }),
    "POST /support.json": () => replies.shift() ?? { message: "It is on its way" },
  });
  await open();
  const field = await screen.findByLabelText<HTMLTextAreaElement>("Message");
  const send = async (count: number) => {
    await userEvent.click(screen.getByRole("button", { name: "Send message" }));
    await waitFor(() => expect(sent("POST /support.json")).toHaveLength(count));
  };
  await userEvent.type(field, "Help");
  await send(1);
  await screen.findByText(TEXTS.requestFailed);
  await send(2);
  await screen.findByText(TEXTS.requestFailed);
  await userEvent.type(field, " me");
  await send(3);
  await screen.findByText("It is on its way");
  await userEvent.type(field, "Help me");
  await send(4);
  const keys = sent("POST /support.json").map(({ query }) => query.get("key"));
  expect(keys[1]).toBe(keys[0]);
  expect(new Set(keys).size).toBe(3);
});

test("an answer is shown under its message, and both are text", async () => {
  answerCalls({ "GET /support/messages.json": () => ({ messages: [MESSAGE] }) });
  await open();
  expect(await screen.findByText("Please update the SDK")).toBeTruthy();
  expect(screen.getByText(/shows <b>nothing<\/b>/)).toBeTruthy();
  expect(screen.getByText("Nov 19th, 2026, 14:05 UTC")).toBeTruthy();
});

test("a refused message says why and stays in the form", async () => {
  answerCalls({
    "GET /support/messages.json": () => refused(503, "The store is away"),
    "POST /support.json": () => refused(429, "That were many messages"),
  });
  await open();
  const field = await screen.findByLabelText<HTMLTextAreaElement>("Message");
  await userEvent.type(field, "Again");
  await userEvent.click(screen.getByRole("button", { name: "Send message" }));
  expect(await screen.findByText("That were many messages")).toBeTruthy();
  expect(field.value).toBe("Again");
  expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
});
