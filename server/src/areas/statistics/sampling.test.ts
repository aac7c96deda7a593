import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  BUCKET_COUNTS,
  SAMPLE_BUCKETS,
  SAMPLES,
  isEnough,
  figureOrNeeded,
  largest,
  planSamples,
  scaledUp,
} from "./sampling.ts";

/** The relative standard deviation of a count by some of all buckets, each device being in one of them by chance. */
const deviationOf = (devices: number, buckets: number) => Math.sqrt((SAMPLE_BUCKETS - buckets) / (buckets * devices));
const bucketsById = (plan: ReturnType<typeof planSamples<string>>) =>
  new Map([...plan].flatMap(([buckets, ids]) => ids.map((id) => [id, buckets] as const)));

test("a group is sampled where the sample tells within 2% how many there are, at three deviations, and else counted whole", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(fc.string(), fc.nat(100_000)), { selector: ([id]) => id }), (groups) => {
      const bucketsOf = bucketsById(planSamples(new Map(groups)));
      for (const [id, perBucket] of groups) {
        const buckets = bucketsOf.get(id);
        if (buckets === undefined) {
          // What is counted whole is small, which is what makes it affordable.
          expect(perBucket * SAMPLE_BUCKETS).toBeLessThan(14_080);
        } else {
          expect(SAMPLES).toContain(buckets);
          expect(3 * deviationOf(perBucket * SAMPLE_BUCKETS, buckets)).toBeLessThan(0.02);
        }
      }
    }),
  );
});

test("no more buckets are read than are needed: about thirty thousand devices are enough of any number", () => {
  fc.assert(
    fc.property(fc.integer({ min: 220, max: 100_000 }), (perBucket) => {
      const [buckets = SAMPLE_BUCKETS] = bucketsById(planSamples(new Map([["", perBucket]]))).values();
      const smaller = SAMPLES.findLast((sample) => sample < buckets);
      expect(smaller === undefined ? 1 : deviationOf(perBucket * SAMPLE_BUCKETS, smaller)).toBeGreaterThan(0.0062);
    }),
  );
});

test("a group of ten thousand devices is never sampled: a bucket would need five deviations more than its share", () => {
  const share = 10_000 / SAMPLE_BUCKETS;
  expect(planSamples(new Map([["", share + 5 * Math.sqrt(share)]])).size).toBe(0);
});

test("a sample is enough where it was planned for as many, and not where far fewer were found", () => {
  fc.assert(
    fc.property(fc.integer({ min: 220, max: 100_000 }), (perBucket) => {
      const [buckets] = bucketsById(planSamples(new Map([["", perBucket]]))).values();
      if (buckets === undefined) return;
      expect(isEnough(perBucket * buckets, buckets)).toBe(true);
      expect(isEnough(0, buckets)).toBe(false);
      expect(isEnough(Math.floor((buckets * 10_000) / SAMPLE_BUCKETS), buckets)).toBe(false);
    }),
  );
});

test("a sample is scaled up to all buckets, and a full count is not scaled", () => {
  expect(scaledUp(30_000, 2)).toBe(960_000);
  expect(scaledUp(9_999, SAMPLE_BUCKETS)).toBe(9_999);
});

test("a group's figure is the same however many of its buckets were read, and more are only asked for where they decide", () => {
  const size = fc.oneof(fc.nat(500), fc.nat(20_000));
  // Buckets of about the same size, or of any, as no hash would fill them.
  const buckets = fc.oneof(
    fc
      .tuple(
        size,
        fc.array(fc.integer({ min: -30, max: 30 }), { minLength: SAMPLE_BUCKETS, maxLength: SAMPLE_BUCKETS }),
      )
      .map(([usual, off]) => off.map((percent) => Math.round(usual * (1 + percent / 100)))),
    fc.array(size, { minLength: SAMPLE_BUCKETS, maxLength: SAMPLE_BUCKETS }),
  );
  fc.assert(
    fc.property(buckets, (inEach) => {
      const inFirst = (many: number) => inEach.slice(0, many).reduce((sum, devices) => sum + devices, 0);
      const verdicts = BUCKET_COUNTS.map((read) =>
        figureOrNeeded(
          BUCKET_COUNTS.map((many) => inFirst(Math.min(many, read))),
          read,
        ),
      );
      const figures = verdicts.flatMap((verdict) => ("devices" in verdict ? [verdict.devices] : []));
      expect(new Set(figures).size).toBe(1);
      for (const [nth, verdict] of verdicts.entries()) {
        // Those that tell the figure are the last ones.
        expect("devices" in verdict).toBe(nth >= BUCKET_COUNTS.length - figures.length);
        if ("needs" in verdict) expect(verdict.needs).toBeGreaterThan(BUCKET_COUNTS[nth] ?? 0);
      }
    }),
  );
});

test("no group that can be among the largest is left out, whichever way its one bucket has erred", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(100_000), fc.double({ min: -4.9, max: 4.9, noNaN: true })), { maxLength: 40 }),
      fc.integer({ min: 1, max: 6 }),
      (groups, many) => {
        const named = groups.map(([share, errs], nth) => ({
          id: String(nth),
          share,
          found: share + errs * Math.sqrt(share),
        }));
        const perBucket = new Map(
          named.flatMap(({ id, found }) => (found >= 1 ? [[id, Math.round(found)] as const] : [])),
        );
        const kept = largest(perBucket, many);
        if (!kept) return;
        const first = named.toSorted((a, b) => b.share - a.share).slice(0, many);
        for (const { id } of first) expect(kept).toContain(id);
      },
    ),
  );
});

test("where fewer groups are seen than are wanted, or small ones are among the largest, nothing is left out", () => {
  expect(largest(new Map([["US", 5000]]), 2)).toBeUndefined();
  expect(
    largest(
      new Map([
        ["US", 5000],
        ["DE", 20],
      ]),
      2,
    ),
  ).toBeUndefined();
  expect(
    largest(
      new Map([
        ["US", 5000],
        ["DE", 400],
        ["FR", 100],
      ]),
      2,
    ),
  ).toEqual(["US", "DE"]);
});
