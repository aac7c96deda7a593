import { CAMPAIGN_FORMATS, GEO_TYPES, SPENDING_REASONS } from "@millrace/contract";
import { expect, test } from "vitest";
import { spendingWords } from "./spending-words.ts";

const wordsOf = (
  reason: (typeof SPENDING_REASONS)[number],
  campaign_format: (typeof CAMPAIGN_FORMATS)[number],
  geo_type: (typeof GEO_TYPES)[number] = "in",
  some: Partial<Parameters<typeof spendingWords>[1]["fields"]> = {},
) =>
  spendingWords(
    reason,
    {
      frozen: false,
      fields: {
        campaign_format,
        geo_type,
        budget: 0,
        bid: { type: "cpm", value: 1_000_000, daily: 250_000_000 },
        end_date: null,
        limit: [],
        ...some,
      },
    } as unknown as Parameters<typeof spendingWords>[1],
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

test("a total budget is spread over all days up to its end, and not the daily one", () => {
  const adviceOf = (some: Parameters<typeof wordsOf>[3]) => wordsOf("paced", "banner", "in", some).advice;
  expect(adviceOf({})).toBe("The rest of the $250.00 is kept for the hours to come.");
  expect(adviceOf({ budget: 500_000_000, end_date: "2026-04-01" })).toBe(
    "What is left of the $500.00 is kept for the hours and days to come, with at most $250.00 a day.",
  );
  expect(adviceOf({ budget: 10_000_000 })).toBe(
    "What is left of the $10.00 is kept for the hours to come, with at most $250.00 a day.",
  );
});

test("money that ads still to be shown hold is not called spent alone", () => {
  const reasons = ["budget_spent", "daily_budget_spent", "balance_spent"] as const;
  for (const reason of reasons) expect(wordsOf(reason, "banner").text).toContain("or reserved for ads");
});

test("a total budget below one impression is not called spent", () => {
  const small = { budget: 990_000, bid: { type: "cpm" as const, value: 1_000_000_000, daily: 250_000_000 } };
  expect(wordsOf("budget_spent", "banner", "in", small)).toEqual({
    text: "Its total budget of $0.99 is less than one impression costs at its bid",
    advice: "Raise the total budget, or lower the bid.",
  });
  expect(wordsOf("budget_spent", "banner", "in", { ...small, budget: 1_000_000 }).text).toContain("was spent");
});

test("a cap on all devices together is not called one of the device", () => {
  const cap = (per: "user" | "all") => ({ impressions: 3, period: "day" as const, per });
  const capped = (...limit: ReturnType<typeof cap>[]) => wordsOf("frequency_cap", "banner", "in", { limit });
  expect(capped(cap("user")).text).toBe("The device had reached a frequency cap");
  expect(capped(cap("all"))).toEqual({
    text: "A frequency cap was reached",
    advice: "Allow more impressions on all devices together.",
  });
  expect(capped(cap("all"), cap("user")).advice).toBe("Allow more impressions per user, or on all devices together.");
});
