import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { DARK, LIGHT, WAVES, brandStyle, brandSvg, kebab } from "./brand.ts";

const web = (path: string) => readFile(new URL(`../../../web/src/${path}`, import.meta.url), "utf8");

test("the colours are those of the dashboard, in both schemes", async () => {
  const [, light = "", dark = ""] = (await web("ui/theme/tokens.css")).split(/^:root.*\{$/m);
  for (const [colours, tokens] of [
    [LIGHT, light],
    [DARK, dark],
  ] as const)
    for (const [name, colour] of Object.entries(colours)) expect(tokens).toContain(`--${kebab(name)}: ${colour};`);
});

test("the mark is the dashboard's", async () => {
  expect(await web("ui/brand-mark.tsx")).toContain(WAVES);
  expect(brandSvg(20, LIGHT.accentLine)).toContain(WAVES);
});

test("a plain page gets the colours of both schemes", () => {
  expect(brandStyle()).toContain(`--accent-fill:${LIGHT.accentFill};`);
  expect(brandStyle()).toMatch(/prefers-color-scheme:dark.*--ink-2:#9fb5bd;/);
});
