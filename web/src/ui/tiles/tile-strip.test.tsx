import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderPart } from "../../testing/render-page.tsx";
import { TileStrip } from "./tile-strip.tsx";

const tile = (id: string) => ({ id, label: id, figure: "$1.00", exact: `${id} $1.000001`, below: null });

test("every tile shows its exact figure by keyboard, whether it can be chosen or not", async () => {
  const tiles = ["Revenue", "LTV"].map(tile);
  renderPart(<TileStrip label="Figures" tiles={tiles} choices={["Revenue"]} chosen="Revenue" onChoose={() => {}} />);
  await userEvent.tab();
  expect(await screen.findByText("Revenue $1.000001")).toBeTruthy();
  await userEvent.tab();
  const hint = await screen.findByText("LTV $1.000001");
  expect(document.activeElement?.getAttribute("aria-describedby")).toBe(hint.id);
});
