import { CAMPAIGN_FORMATS, SPENDING_REASONS } from "@millrace/contract";
import { expect, test } from "vitest";
import { spendingWords } from "./spending-words.ts";

const wordsOf = (reason: (typeof SPENDING_REASONS)[number], campaign_format: (typeof CAMPAIGN_FORMATS)[number]) =>
  spendingWords(
    reason,
    {
      frozen: false,
      fields: { campaign_format, budget: 0, bid: { type: "cpm", value: 1_000_000, daily: 250_000_000 } },
    } as Parameters<typeof spendingWords>[1],
    2_000_000,
  );

test("a place that takes no creative of a campaign is told by what the campaign has", () => {
  expect(wordsOf("creative_misfit", "video")).toEqual({
    text: "The place took no video of its length, file type, bit rate or VAST version",
    advice: "Add a shorter video: an MP4 with H.264 video and AAC sound of 15 or 30 seconds fits most places.",
  });
  expect(wordsOf("creative_misfit", "image").advice).toContain("headline");
});

test("no two reasons of a format have the same words", () => {
  for (const format of CAMPAIGN_FORMATS) {
    const texts = SPENDING_REASONS.map((reason) => wordsOf(reason, format).text);
    expect(new Set(texts).size).toBe(texts.length);
  }
});
