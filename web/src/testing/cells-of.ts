import { within } from "@testing-library/react";
import { expect } from "vitest";

/** The texts of a row's cells. */
export const cellsOf = (row: HTMLElement | undefined) =>
  within(row ?? expect.fail("There is no such row"))
    .getAllByRole("cell")
    .map(({ textContent }) => textContent);
