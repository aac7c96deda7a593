import { expect, test } from "vitest";
import { stableColor } from "./stable-color.ts";

test("an id keeps its colour from one version of the platform to the next", () => {
  const ids = ["inmobi", "loopme", "verve", "lab-games", "lab-tardy"];
  expect(ids.map(stableColor)).toEqual(["chart5", "chart4", "chart2", "chart1", "chart6"]);
});

test("ids are spread over all six colours", () => {
  const colors = Array.from({ length: 60 }, (_, index) => stableColor(`partner-${index}`));
  expect(new Set(colors).size).toBe(6);
  expect(colors).not.toContain("rest");
});
