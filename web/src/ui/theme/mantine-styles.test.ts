import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const STYLES = dirname(createRequire(import.meta.url).resolve("@mantine/core/styles/baseline.css"));
const SOURCES = join(import.meta.dirname, "../..");

test("Mantine's styles are imported in their layer only, so that they lose to ours whichever chunk loads first", () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  const unlayered = files.filter((file) =>
    /^import "@mantine\/core\/styles\/\w+\.css"/m.test(readFileSync(join(SOURCES, file), "utf8")),
  );
  expect(unlayered).toEqual([]);
});

test("every Mantine component in use has its own styles imported, as one without them is not to be seen", () => {
  const used = new Set<string>();
  const imported = new Set<string>();
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => /\.tsx?$/.test(name))) {
    const source = readFileSync(join(SOURCES, file), "utf8");
    for (const [, names = ""] of source.matchAll(/import \{([^}]*)\} from "@mantine\/core"/g))
      for (const name of names.split(",")) used.add(name.trim());
    for (const [, name = ""] of source.matchAll(/"@mantine\/core\/styles\/(\w+)\.layer\.css"/g)) imported.add(name);
  }
  const styled = [...used].filter((name) => name !== "" && existsSync(join(STYLES, `${name}.css`)));
  expect(styled.length).toBeGreaterThan(5);
  expect(styled.filter((name) => !imported.has(name))).toEqual([]);
});
