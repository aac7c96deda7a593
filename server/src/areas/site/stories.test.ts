import { expect, test } from "vitest";
import { type Story, storiesHtml } from "./stories.ts";

const story = (name: string, revenueMicros: number, impressions = 10): Story => ({
  name,
  requests: 12_500,
  impressions,
  fillrate: 80.5,
  ecpmMicros: 3_210_000,
  revenueMicros,
  dailyMicros: [1, 2, 3],
});

test("the three apps that earned most are told with their figures, best first", () => {
  const html = storiesHtml([story("A", 1), story("B", 9_000_000), story("C", 3), story("D", 2)], 30);
  expect([...html.matchAll(/<h3>(\w)<\/h3>/g)].map(([, name]) => name)).toEqual(["B", "C", "D"]);
  expect(html).toContain("<dt>Revenue</dt><dd>$9.00</dd>");
  expect(html).toContain("<dt>eCPM</dt><dd>$3.21</dd>");
  expect(html).toContain("<dt>Fill rate</dt><dd>80.5%</dd>");
  expect(html).toContain("<dt>Requests</dt><dd>12.5K</dd>");
  expect(html).toContain("Simulated apps of the demonstration");
});

test("a name is text, whatever it holds", () => {
  expect(storiesHtml([story('<img src=x onerror="alert(1)">', 1)], 30)).not.toContain("<img");
});

test("without impressions there are no stories, and the page says why", () => {
  expect(storiesHtml([story("A", 0, 0)], 30)).toContain("still writing its history");
  expect(storiesHtml([], 30)).not.toContain("<li");
});
