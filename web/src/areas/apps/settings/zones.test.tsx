import { screen, waitFor, within } from "@testing-library/react";
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
  expect(sent(put)[0]?.body).toEqual({ name: "Level ends", refresh_seconds: 30 });
});
