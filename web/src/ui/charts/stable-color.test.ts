import { expect, test } from "vitest";
import { stableColor } from "./stable-color.ts";

test("an id has the same colour in every list, whichever others are in it", () => {
  const ids = ["inmobi", "loopme", "verve", "lab-games", "lab-tardy"];
  const alone = ids.map(stableColor);
  expect(ids.toReversed().map(stableColor).toReversed()).toEqual(alone);
});

test("ids are spread over all six colours", () => {
  const colors = Array.from({ length: 60 }, (_, index) => stableColor(`partner-${index}`));
  expect(new Set(colors).size).toBe(6);
  expect(colors).not.toContain("rest");
});
