import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPart } from "../../../testing/render-page.tsx";
import { SparkLine } from "./spark-line.tsx";

test("whoever does not see the line is told where it starts and ends, and how far it goes", () => {
  renderPart(<SparkLine values={[2_000_000, 500_000, 9_000_000, 3_000_000]} />);
  expect(screen.getByText("from $2.00 to $3.00, lowest $0.50, highest $9.00")).toBeTruthy();
});
