import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { openAdd } from "../testing/open-form.tsx";

test.each(["Campaigns", "Cancel"])(
  "the link %s leads away from the form, and is not called the current page",
  async (name) => {
    await openAdd();
    expect(screen.getByRole("link", { name }).getAttribute("href")).toBe("/campaign");
    expect(screen.getByRole("link", { name }).getAttribute("aria-current")).toBeNull();
  },
);
