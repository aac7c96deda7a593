import type { KeyProperty } from "@millrace/contract";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderPart } from "../../testing/render-page.tsx";
import { KeyField } from "./key-field.tsx";

interface Shown {
  required?: boolean;
  value?: unknown;
}

function show(property: KeyProperty, { required = false, value = "" }: Shown = {}) {
  const onChange = vi.fn<(value: unknown) => void>();
  renderPart(
    <KeyField field={{ name: "key", value, onChange, error: undefined }} property={property} required={required} />,
  );
  return onChange;
}

test("a required key is marked with *, an optional one is not", () => {
  show({ type: "integer", title: "Placement" }, { required: true });
  expect(screen.getByLabelText("Placement *").getAttribute("aria-required")).toBe("true");
  show({ type: "string", title: "Seat" });
  expect(screen.getByLabelText("Seat").getAttribute("aria-required")).toBe("false");
});

test("a required choice is marked too", () => {
  show({ type: "string", title: "Region", enum: ["eu", "us"] }, { required: true });
  expect(screen.getByRole("combobox", { name: "Region *" })).toBeTruthy();
});

test("a boolean is a checkbox", async () => {
  const onChange = show({ type: "boolean", title: "Test mode" }, { value: false });
  const box = screen.getByRole<HTMLInputElement>("checkbox", { name: "Test mode" });
  expect(box.checked).toBe(false);
  await userEvent.click(box);
  expect(onChange).toHaveBeenCalledExactlyOnceWith(true);
});

test.each([
  ["integer", "1, 2, 3"],
  ["number", "1, 2, 3"],
  ["string", "one, two, three"],
] as const)("a list of %ss is entered on one line: %s", (type, placeholder) => {
  show({ type: "array", title: "Zones", items: { type } });
  expect(screen.getByLabelText("Zones").getAttribute("placeholder")).toBe(placeholder);
});
