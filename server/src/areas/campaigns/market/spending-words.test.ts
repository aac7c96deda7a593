import { CAMPAIGN_FORMATS, GEO_TYPES, SPENDING_REASONS } from "@millrace/contract";
import { expect, test } from "vitest";
import { spendingWords } from "./spending-words.ts";

const wordsOf = (
  reason: (typeof SPENDING_REASONS)[number],
  campaign_format: (typeof CAMPAIGN_FORMATS)[number],
  geo_type: (typeof GEO_TYPES)[number] = "in",
) =>
  spendingWords(
    reason,
    {
      frozen: false,
      fields: { campaign_format, geo_type, budget: 0, bid: { type: "cpm", value: 1_000_000, daily: 250_000_000 } },
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

test("a campaign for some places does not target the others, and one for all others leaves these out", () => {
  const wordsOfPlaces = (geoType: (typeof GEO_TYPES)[number]) =>
    (["geography", "region"] as const).map((reason) => wordsOf(reason, "banner", geoType).text);
  expect(wordsOfPlaces("in")).toEqual(["In countries that it does not target", "In regions that it does not target"]);
  expect(wordsOfPlaces("not_in")).toEqual(["In countries that it leaves out", "In regions that it leaves out"]);
});

test.each(GEO_TYPES)("no two reasons of a format have the same words, with places %s the list", (geoType) => {
  for (const format of CAMPAIGN_FORMATS) {
    const texts = SPENDING_REASONS.map((reason) => wordsOf(reason, format, geoType).text);
    expect(new Set(texts).size).toBe(texts.length);
  }
});
