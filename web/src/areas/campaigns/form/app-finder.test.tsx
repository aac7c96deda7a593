import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { openAdd, press } from "../testing/open-form.tsx";

test("the search for an app and the app that was found pass the focus to each other", async () => {
  await openAdd();
  await userEvent.type(screen.getByLabelText("App"), "com.example.tide");
  await press("Find");
  const change = await screen.findByRole("button", { name: "Change" });
  expect(document.activeElement).toBe(change);
  await userEvent.click(change);
  expect(document.activeElement).toBe(screen.getByLabelText("App"));
});
