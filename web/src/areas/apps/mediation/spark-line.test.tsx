import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPart } from "../../../testing/render-page.tsx";
import { SparkLine } from "./spark-line.tsx";

test("screen readers get the line's first, last, lowest and highest value", () => {
  renderPart(<SparkLine values={[2_000_000, 500_000, 9_000_000, 3_000_000]} />);
  expect(screen.getByText("from $2.00 to $3.00, lowest $0.50, highest $9.00")).toBeTruthy();
});
