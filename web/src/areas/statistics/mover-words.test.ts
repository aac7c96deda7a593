import type { Mover } from "@millrace/contract";
import { expect, test } from "vitest";
import { moverWords } from "./mover-words.ts";

const FIGURES = { requests: 1000, impressions: 900, fillrate: 90, ecpm: 2_000_000, revenue: 1_800_000 };

const mover = (main: Mover["main"], after: Partial<typeof FIGURES>, before: Partial<typeof FIGURES> = {}): Mover => ({
  id: "x",
  name: "X",
  filter: { key: "country", value: "DE" },
  before: { ...FIGURES, ...before },
  after: { ...FIGURES, ...after },
  difference: 0,
  factors: { requests: 0, fillrate: 0, ecpm: 0 },
  main,
});

test("the factor with the largest part is told, with its figures", () => {
  expect(moverWords(mover("requests", { requests: 1120 }), "country")).toBe(": 12.0% more requests");
  expect(moverWords(mover("requests", { requests: 900 }), "zone")).toBe(": 10.0% fewer requests");
  expect(moverWords(mover("fillrate", { fillrate: 85.5 }), "format")).toBe(": fill rate 85.50%, was 90.00%");
  expect(moverWords(mover("ecpm", { ecpm: 2_310_000 }), "app")).toBe(": eCPM $2.31, was $2.00");
});

test("a provider pays more or less per impression", () => {
  expect(moverWords(mover("ecpm", { ecpm: 2_360_000 }), "provider")).toBe(": 18.0% more per impression");
  expect(moverWords(mover("ecpm", { ecpm: 1_900_000 }), "provider")).toBe(": 5.0% less per impression");
});

test("what began or ended between the periods is told as such", () => {
  expect(moverWords(mover("requests", {}, { requests: 0, revenue: 0 }), "country")).toBe(" is new");
  expect(moverWords(mover("fillrate", {}, { revenue: 0 }), "country")).toBe(" earned nothing before");
  expect(moverWords(mover("ecpm", { revenue: 0 }), "country")).toBe(" earns nothing any more");
  expect(moverWords(mover(null, {}), "country")).toBe(" earned as much as before");
});
