import { expect, test } from "vitest";
import { stableColors } from "./stable-colors.ts";

test("an id keeps its colour in any list, unless an earlier id has the same colour", () => {
  const alone = stableColors(["inmobi"]).get("inmobi");
  expect(stableColors(["inmobi", "loopme", "verve"]).get("inmobi")).toBe(alone);
});

test("six ids have different colours, and the seventh gets the colour of the rest", () => {
  const colors = [...stableColors(["a", "b", "c", "d", "e", "f", "g"]).values()];
  expect(new Set(colors.slice(0, 6)).size).toBe(6);
  expect(colors[6]).toBe("rest");
});
