import { type AppSettings, editZone, TEXTS, type Zone } from "@millrace/contract";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { useAppSettings } from "../api.ts";
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

function Page() {
  const { data } = useAppSettings(UUID);
  return data ? <Zones settings={data} /> : null;
}

test("a zone's form does not overwrite somebody else's change, and can be reloaded", async () => {
  let now = someSettings();
  const put = `PUT /apps/${UUID}/zones/main_banner`;
  const zoneNow = (change: Partial<Zone>): AppSettings => ({ ...now, zones: [{ ...now.zones[0]!, ...change }] });
  const sent = answerCalls({
    [`GET /apps/${UUID}/settings.json`]: () => now,
    [put]: ({ query, body }) => {
      if (query.get("revision") !== now.zones[0]?.revision) return refused(409, TEXTS.stale);
      return (now = zoneNow(body as Partial<Zone>));
    },
  });
  await openPage(() => <Page />, { path: "/apps" });
  await userEvent.click(await screen.findByRole("button", { name: "Edit Main banner" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.type(dialog.getByLabelText("Name"), "s");
  now = zoneNow({ refresh_seconds: 45, revision: "theirs" });
  await userEvent.click(dialog.getByRole("button", { name: "Save zone" }));
  await dialog.findByText(TEXTS.stale);
  expect(dialog.getByLabelText<HTMLInputElement>("Name").value).toBe("Main banners");
  await userEvent.click(dialog.getByRole("button", { name: "Reload" }));
  await waitFor(() => expect(dialog.getByLabelText<HTMLInputElement>("Refresh in seconds").value).toBe("45"));
  expect(dialog.getByLabelText<HTMLInputElement>("Name").value).toBe("Main banner");
  await userEvent.type(dialog.getByLabelText("Name"), "!");
  await userEvent.click(dialog.getByRole("button", { name: "Save zone" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent(put).map(({ query, body }) => [query.get("revision"), body])).toEqual([
    ["of-main", { name: "Main banners", refresh_seconds: 30 }],
    ["theirs", { name: "Main banner!", refresh_seconds: 45 }],
  ]);
});

test("the refresh times that the form names are those that it accepts", async () => {
  await openPage(() => <Zones settings={someSettings()} />, { path: "/apps" });
  await userEvent.click(await screen.findByRole("button", { name: "Edit Main banner" }));
  const dialog = within(await screen.findByRole("dialog"));
  const [, least, most] = /From (\d+) to (\d+)\./.exec(
    dialog.getByLabelText("Refresh in seconds").closest("form")!.textContent,
  )!;
  const isAccepted = (seconds: number) =>
    editZone.body.safeParse({ name: "Main banner", refresh_seconds: seconds }).success;
  expect([Number(least) - 1, Number(least), Number(most), Number(most) + 1].map(isAccepted)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
