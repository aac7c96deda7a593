import type { AppSettings } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls } from "../../../testing/answer-calls.ts";
import { useAppSettings } from "../api.ts";
import { openPage, someSettings, UUID } from "../testing/open-page.tsx";
import { Learning } from "./learning.tsx";

function LearningOfApp() {
  const { data } = useAppSettings(UUID);
  return data ? <Learning settings={data} /> : null;
}

test("skipping of sources is off, says what it does, and is switched on; the share of exploration is typed", async () => {
  const settings = someSettings();
  const sent = answerCalls({
    [`GET /apps/${UUID}/settings.json`]: () => settings,
    [`PUT /apps/${UUID}/learning`]: ({ body }) => ({ ...settings, learning: body as AppSettings["learning"] }),
  });
  await openPage(() => <LearningOfApp />, { path: "/" });
  const learned = within(await screen.findByRole("region", { name: "Learned from traffic" }));
  const skip = learned.getByRole<HTMLInputElement>("checkbox", { name: /Skip sources that never have an ad/ });
  expect(skip.checked).toBe(false);
  expect(learned.getByText(/2% of these requests reach them all the same/)).toBeTruthy();
  await userEvent.click(skip);
  const exploration = learned.getByLabelText<HTMLInputElement>("Exploration in %");
  expect(exploration.value).toBe("5");
  await userEvent.clear(exploration);
  await userEvent.type(exploration, "51");
  await userEvent.click(learned.getByRole("button", { name: "Save what is learned" }));
  expect(await learned.findAllByText("At most 50")).not.toHaveLength(0);
  await userEvent.clear(exploration);
  await userEvent.type(exploration, "20");
  await userEvent.click(learned.getByRole("button", { name: "Save what is learned" }));
  await waitFor(() => expect(learned.getAllByRole("status")[0]?.textContent).toBe("Saved"));
  expect(sent(`PUT /apps/${UUID}/learning`)[0]?.body).toEqual({ skip_partners: true, exploration: 20 });
});
