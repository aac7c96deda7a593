import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPart } from "../../../testing/render-page.tsx";
import { Details } from "./details.tsx";

test("details are shown as words and money, and markup in them is text", () => {
  const reason = "<img src=x onerror=alert(1)>";
  const { container } = renderPart(
    <Details entry={{ subject: "42", details: { amountMicros: 25_000_001, is_super: true, reason, before: null } }} />,
  );
  expect(screen.getByText("5 details")).toBeTruthy();
  expect([...container.querySelectorAll("dt")].map(({ textContent }) => textContent)).toEqual([
    "subject",
    "amount",
    "is super",
    "reason",
    "before",
  ]);
  expect([...container.querySelectorAll("dd")].map(({ textContent }) => textContent)).toEqual([
    "42",
    "$25.000001",
    "yes",
    reason,
    "null",
  ]);
  expect(container.querySelector("img")).toBeNull();
});

test("an entry without details has nothing to expand", () => {
  const { container } = renderPart(<Details entry={{ subject: "", details: {} }} />);
  expect(container.querySelector("details")).toBeNull();
});
