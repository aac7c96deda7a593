import type { Zone } from "@millrace/contract";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls } from "../../../testing/answer-calls.ts";
import { UUID, openPage, someSettings } from "../testing/open-page.tsx";
import { Zones } from "./zones.tsx";

test("a zone other than a banner has no refresh time, and is renamed without one", async () => {
  const settings = someSettings();
  const [main] = settings.zones;
  const zone = { ...main!, zone: "level_end", name: "Level end", format: "rewarded" as const };
  const put = `PUT /apps/${UUID}/zones/level_end`;
  const sent = answerCalls({ [put]: () => settings });
  await openPage(() => <Zones settings={{ ...settings, zones: [zone] }} />, {
    path: "/apps",
  });
  const edit = await screen.findByRole("button", { name: "Edit Level end" });
  expect(edit.closest("tr")?.textContent).not.toContain("30 s");
  await userEvent.click(edit);
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.queryByLabelText("Refresh in seconds")).toBeNull();
  await userEvent.type(dialog.getByLabelText("Name"), "s");
  await userEvent.click(dialog.getByRole("button", { name: "Save zone" }));
  await waitFor(() => expect(sent(put)).toHaveLength(1));
  expect(sent(put)[0]?.body).toEqual({ name: "Level ends", refresh_seconds: 30, reward: null });
});

test("a zone of rewarded ads gets a reward of its own, which is checked, and loses it again", async () => {
  const settings = someSettings();
  const [main] = settings.zones;
  const zone = { ...main!, zone: "life", name: "Life", format: "rewarded" as const };
  const put = `PUT /apps/${UUID}/zones/life`;
  const sent = answerCalls({ [put]: () => settings });
  const open = async (reward: Zone["reward"]) => {
    await openPage(() => <Zones settings={{ ...settings, zones: [{ ...zone, reward }] }} />, { path: "/apps" });
    await userEvent.click(await screen.findByRole("button", { name: "Edit Life" }));
    return within(await screen.findByRole("dialog"));
  };
  const first = await open(null);
  await userEvent.type(first.getByLabelText("Reward"), "gems");
  await userEvent.click(first.getByRole("button", { name: "Save zone" }));
  expect(first.getByText("Use a whole number")).toBeTruthy();
  await userEvent.type(first.getByLabelText("Amount"), "3");
  await userEvent.click(first.getByRole("button", { name: "Save zone" }));
  await waitFor(() => expect(sent(put)).toHaveLength(1));
  expect(sent(put)[0]?.body).toEqual({ name: "Life", refresh_seconds: 30, reward: { name: "gems", amount: 3 } });
  cleanup();
  const second = await open({ name: "gems", amount: 3 });
  await userEvent.clear(second.getByLabelText("Reward"));
  await userEvent.clear(second.getByLabelText("Amount"));
  await userEvent.click(second.getByRole("button", { name: "Save zone" }));
  await waitFor(() => expect(sent(put)).toHaveLength(2));
  expect(sent(put)[1]?.body).toMatchObject({ reward: null });
});
