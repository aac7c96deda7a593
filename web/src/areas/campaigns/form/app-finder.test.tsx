import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ITEM, LOOKUP, found, openAdd, press } from "../testing/open-form.tsx";

test("the search for an app and the app that was found pass the focus to each other", async () => {
  await openAdd();
  await userEvent.type(screen.getByLabelText("App"), "com.example.tide");
  await press("Find");
  const change = await screen.findByRole("button", { name: "Change" });
  expect(document.activeElement).toBe(change);
  await userEvent.click(change);
  expect(document.activeElement).toBe(screen.getByLabelText("App"));
});

test("of several found apps, any is chosen by keyboard: each is a tab stop", async () => {
  const items = ["tide", "chess", "word", "kite"].map((app) => ({
    ...ITEM,
    id: `android:com.example.${app}`,
    bundle_id: `com.example.${app}`,
    store_id: `com.example.${app}`,
  }));
  await openAdd({ [LOOKUP]: () => found(items) });
  await userEvent.type(screen.getByLabelText("App"), "com.example{Enter}");
  const [first] = await screen.findAllByRole("radio");
  expect(document.activeElement).toBe(first);
  await userEvent.tab();
  await userEvent.tab();
  await userEvent.keyboard(" ");
  expect(await screen.findByText("com.example.word")).toBeTruthy();
});
