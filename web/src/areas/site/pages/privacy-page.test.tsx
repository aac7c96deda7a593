import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPage } from "../../../testing/render-page.tsx";
import { PrivacyPage } from "./privacy-page.tsx";

const SOURCES = join(import.meta.dirname, "../../..");
const storedNames = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .flatMap((file) => [...readFileSync(join(SOURCES, file), "utf8").matchAll(/"(millrace-[a-z-]+)"/g)])
  .map(([, name]) => name);

test("the privacy notice names everything that is kept in the browser's storage", async () => {
  await renderPage(PrivacyPage, "/privacy");
  const heading = await screen.findByRole("heading", { name: "In your browser" });
  const named = [...(heading.nextElementSibling?.querySelectorAll("code") ?? [])].map(({ textContent }) => textContent);
  expect(storedNames).toContain("millrace-stat-columns");
  expect(named).toEqual(expect.arrayContaining([...new Set(storedNames)]));
});
