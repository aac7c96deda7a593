import { screen, within } from "@testing-library/react";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { renderPart } from "../../testing/render-page.tsx";
import { PriceLines } from "./price-lines.tsx";
import { someImp } from "./testing/some-auction.ts";

const sample = someImp().price;

/** The cells of a line as they are read, with the digits after the point. */
const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole("cell")
    .map(({ textContent }) => (textContent ?? "").replace("−", "-").replace(/[$,]/g, ""));

function linesOf(price: NonNullable<typeof sample>) {
  const { unmount } = renderPart(<PriceLines price={price} />);
  const [, ...lines] = screen.getAllByRole("row");
  const told = lines.map((row) => ({ name: within(row).getByRole("rowheader").textContent, cells: cellsOf(row) }));
  unmount();
  return told;
}

test("price, fee and the publisher's part are three lines", () => {
  if (!sample) throw new Error("the sample has a price");
  expect(linesOf(sample).map(({ name }) => name)).toEqual(["Cleared price", "Platform fee, 20%", "You earned"]);
  const open = linesOf({ ...sample, fee_ppm: null, is_earned: false });
  expect(open.map(({ name }) => name)).toEqual(["Cleared price", "Platform fee", "You would earn"]);
});

test("the lines add up as they are read, to the last decimal of each column", () => {
  const split = fc
    .tuple(fc.nat(10_000_000_000), fc.nat(1_000_000))
    .map(([cleared, ppm]) => ({ cleared, earned: Math.floor((cleared * ppm) / 1_000_000) }))
    .map(({ cleared, earned }) => ({ cleared, earned, fee: cleared - earned }));
  fc.assert(
    fc.property(split, split, (impression, thousand) => {
      const lines = linesOf({
        provider: "a",
        name: "A",
        fee_ppm: null,
        fee_by: "",
        is_earned: true,
        impression,
        thousand,
      });
      for (const column of [0, 1]) {
        const [cleared, fee, earned] = lines.map(({ cells }) => cells[column] ?? "");
        const decimals = new Set([cleared, fee, earned].map((cell) => cell?.split(".")[1]?.length));
        expect(decimals.size).toBe(1);
        expect(BigInt((cleared ?? "").replace(".", "")) + BigInt((fee ?? "").replace(".", ""))).toBe(
          BigInt((earned ?? "").replace(".", "")),
        );
      }
    }),
    { numRuns: 50 },
  );
});
