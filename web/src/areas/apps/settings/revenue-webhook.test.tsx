import { type RevenueWebhook as Webhook, TEXTS, VERIFY_DELIVERY } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { openPage, UUID } from "../testing/open-page.tsx";
import { RevenueWebhook } from "./revenue-webhook.tsx";

const NONE: Webhook = {
  url: null,
  revision: "none",
  delivered: 0,
  given_up: 0,
  waiting: 0,
  waiting_since: null,
  last_delivered_at: null,
  last_failure: null,
};
const URL_OF_GAME = "https://game.example/revenue";
const WEBHOOK = `/apps/${UUID}/revenue_webhook`;

async function open(first: Webhook, more: Parameters<typeof answerCalls>[0] = {}) {
  let saved = first;
  const sent = answerCalls({
    [`GET ${WEBHOOK}.json`]: () => saved,
    [`PUT ${WEBHOOK}`]: ({ body }) => (saved = { ...saved, url: (body as { url: string }).url }),
    [`DELETE ${WEBHOOK}`]: () => (saved = NONE),
    ...more,
  });
  await openPage(() => <RevenueWebhook uuid={UUID} />, { path: "/" });
  return { sent, form: within(await screen.findByRole("region", { name: "Revenue webhook" })) };
}

test("whoever undoes changes by keyboard stays in the form", async () => {
  const { form } = await open(NONE);
  await userEvent.type(form.getByLabelText("Address for revenue"), "game.example");
  form.getByRole("button", { name: "Undo changes" }).focus();
  await userEvent.keyboard("{Enter}");
  expect(form.queryByRole("button", { name: "Undo changes" })).toBeNull();
  expect(document.activeElement).toBe(form.getByRole("button", { name: "Save address" }));
});

test("an address is saved once it is right, and an empty one removes the webhook", async () => {
  const { form, sent } = await open(NONE);
  expect(form.queryByRole("button", { name: "Send a test delivery" })).toBeNull();
  const address = form.getByLabelText("Address for revenue");
  const save = () => userEvent.click(form.getByRole("button", { name: "Save address" }));
  await userEvent.type(address, "game.example");
  await save();
  expect(form.getByRole("alert").textContent).toContain("Use a web address like");
  expect(sent(`PUT ${WEBHOOK}`)).toEqual([]);
  await userEvent.clear(address);
  await userEvent.type(address, ` ${URL_OF_GAME} `);
  await save();
  expect(await form.findByText("0 impressions delivered. None waits.")).toBeTruthy();
  expect(sent(`PUT ${WEBHOOK}`)[0]?.body).toEqual({ url: URL_OF_GAME });
  await userEvent.clear(address);
  await save();
  await waitFor(() => expect(sent(`DELETE ${WEBHOOK}`)).toHaveLength(1));
  await waitFor(() => expect(form.queryByRole("button", { name: "Send a test delivery" })).toBeNull());
});

test("the webhook's form neither replaces nor removes an address that somebody else has changed, and can be reloaded", async () => {
  let now: Webhook = { ...NONE, url: URL_OF_GAME, revision: "first" };
  const { form, sent } = await open(now, {
    [`GET ${WEBHOOK}.json`]: () => now,
    [`DELETE ${WEBHOOK}`]: ({ query }) => (query.get("revision") === now.revision ? NONE : refused(409, TEXTS.stale)),
  });
  const address = form.getByLabelText<HTMLInputElement>("Address for revenue");
  await userEvent.clear(address);
  now = { ...now, url: "https://theirs.example/", revision: "theirs" };
  await userEvent.click(form.getByRole("button", { name: "Save address" }));
  expect(await form.findByText(TEXTS.stale)).toBeTruthy();
  await userEvent.click(form.getByRole("button", { name: "Reload" }));
  expect(address.value).toBe("https://theirs.example/");
  await userEvent.clear(address);
  await userEvent.click(form.getByRole("button", { name: "Save address" }));
  await waitFor(() => expect(form.queryByRole("button", { name: "Undo changes" })).toBeNull());
  expect(sent(`DELETE ${WEBHOOK}`).map(({ query }) => query.get("revision"))).toEqual(["first", "theirs"]);
});

test("what the server refuses is said", async () => {
  const { form } = await open(NONE, {
    [`PUT ${WEBHOOK}`]: () => refused(400, { url: "This address is in a private network" }),
  });
  await userEvent.type(form.getByLabelText("Address for revenue"), "https://10.0.0.5/");
  await userEvent.click(form.getByRole("button", { name: "Save address" }));
  expect(await form.findByText("This address is in a private network")).toBeTruthy();
});

test("the state says what was delivered, waits and was given up, and how the last failed try ended", async () => {
  const { form } = await open({
    url: URL_OF_GAME,
    revision: "game",
    delivered: 1204,
    given_up: 3,
    waiting: 12,
    waiting_since: "2026-11-25T10:00:03.125Z",
    last_delivered_at: "2026-11-25T09:58:00Z",
    last_failure: { at: "2026-11-25T10:01:00Z", outcome: "timeout" },
  });
  expect(form.getByText(/delivered, the last on/).textContent).toBe(
    "1,204 impressions delivered, the last on Nov 25th, 2026, 09:58 UTC. 12 waiting, the oldest since Nov 25th, 2026, 10:00 UTC. " +
      "3 given up after 3 days. The last try that failed: no answer within 10 seconds, on Nov 25th, 2026, 10:01 UTC.",
  );
});

test("a test delivery says how it ended", async () => {
  const outcomes = [{ delivered: true, outcome: 204 }, { delivered: false, outcome: "closed_address" }, undefined];
  const { form } = await open(
    { ...NONE, url: URL_OF_GAME },
    { [`POST ${WEBHOOK}/test`]: () => outcomes.shift() ?? refused(409, "Save the address of your server first") },
  );
  const send = () => userEvent.click(form.getByRole("button", { name: "Send a test delivery" }));
  await send();
  expect(await form.findByText("Delivered: status 204.")).toBeTruthy();
  await send();
  expect(await form.findByText("Not delivered: the address is in a private network.")).toBeTruthy();
  await send();
  expect(await form.findByText("Save the address of your server first")).toBeTruthy();
});

test("the code that verifies a delivery is there to be copied", async () => {
  const { form } = await open(NONE);
  await userEvent.click(form.getByText("How to verify a delivery"));
  expect(form.getByText(/export async function isGenuine/).textContent).toBe(VERIFY_DELIVERY);
  expect(form.getByRole("link", { name: "What a delivery holds" }).getAttribute("href")).toBe(
    "/help/publishers/revenue-webhook",
  );
});
