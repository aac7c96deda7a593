import { expect, test } from "vitest";
import { stableColors } from "./stable-colors.ts";

test("an id has its colour wherever it stands, as long as nobody before it has the same", () => {
  const alone = stableColors(["inmobi"]).get("inmobi");
  expect(stableColors(["inmobi", "loopme", "verve"]).get("inmobi")).toBe(alone);
});

test("no two of six share a colour, and the seventh gets the rest's", () => {
  const colors = [...stableColors(["a", "b", "c", "d", "e", "f", "g"]).values()];
  expect(new Set(colors.slice(0, 6)).size).toBe(6);
  expect(colors[6]).toBe("rest");
});
