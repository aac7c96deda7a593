import type { AppSettings } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls } from "../../../testing/answer-calls.ts";
import { useAppSettings } from "../api.ts";
import { openPage, someSettings, UUID } from "../testing/open-page.tsx";
import { Rewards } from "./rewards.tsx";

function RewardsOfApp() {
  const { data } = useAppSettings(UUID);
  return data ? <Rewards settings={data} /> : null;
}

async function open(settings: AppSettings, more: Parameters<typeof answerCalls>[0] = {}) {
  let saved = settings;
  const sent = answerCalls({
    [`GET /apps/${UUID}/settings.json`]: () => saved,
    [`PUT /apps/${UUID}/rewards`]: ({ body }) => (saved = { ...saved, rewards: body as AppSettings["rewards"] }),
    [`GET /apps/${UUID}/reward_callbacks.json`]: () => ({ delivered: 12, waiting: 1, failed: 0, last_failure: 503 }),
    ...more,
  });
  await openPage(() => <RewardsOfApp />, { path: "/" });
  return { sent, form: within(await screen.findByRole("region", { name: "Rewards" })) };
}

test("the reward and the server's address are saved once they are right, and then the calls are counted", async () => {
  const { form, sent } = await open(someSettings());
  expect(form.queryByRole("button", { name: "Send a test call" })).toBeNull();
  const type = async (label: string, text: string) => {
    await userEvent.clear(form.getByLabelText(label));
    if (text !== "") await userEvent.type(form.getByLabelText(label), text);
  };
  const save = () => userEvent.click(form.getByRole("button", { name: "Save rewards" }));
  await type("Reward", "coins");
  for (const [label, wrong, message] of [
    ["Amount", "many", "Use a whole number"],
    ["Amount", "0", "At least 1"],
    ["Address of your server", "game.example", "Use a web address like"],
    ["Address of your server", "https://game.example/?user_id=7", "other names than those of the callback"],
  ] as const) {
    await type(label, wrong);
    await save();
    expect(form.getByRole("alert").textContent).toContain(message);
    await type("Amount", "5");
  }
  await type("Address of your server", "https://game.example/reward");
  await save();
  await waitFor(() => expect(form.getAllByRole("status")[0]?.textContent).toBe("Saved"));
  expect(sent(`PUT /apps/${UUID}/rewards`)[0]?.body).toEqual({
    callback_url: "https://game.example/reward",
    name: "coins",
    amount: 5,
  });
  expect((await form.findByText(/12 delivered, 1 waiting, 0 given up/)).textContent).toContain("status 503");
});

test("a test call says how it ended", async () => {
  const outcomes = [
    { delivered: true, outcome: 200 },
    { delivered: false, outcome: "closed_address" },
  ];
  const rewards = { callback_url: "https://game.example/reward", name: "coins", amount: 5 };
  const { form } = await open(someSettings({ rewards }), {
    [`POST /apps/${UUID}/reward_callbacks/test`]: () => outcomes.shift(),
  });
  const send = () => userEvent.click(form.getByRole("button", { name: "Send a test call" }));
  await send();
  expect(await form.findByText("Delivered: status 200.")).toBeTruthy();
  await send();
  expect(await form.findByText("Not delivered: the address is in a private network.")).toBeTruthy();
});
