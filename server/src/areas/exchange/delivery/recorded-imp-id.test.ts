import * as fc from "fast-check";
import { expect, test } from "vitest";
import { recordedImpId } from "./recorded-imp-id.ts";

test("ids of usual length are recorded as they are", () => {
  for (const id of ["1", "imp-1", "Größe 300×250", "😀".repeat(32), "x".repeat(64)]) expect(recordedImpId(id)).toBe(id);
});

test("no two ids are recorded as one, and what is recorded is short and can be stored", () => {
  const start = "😀".repeat(40);
  const ids = [start, `${start}1`, `${start}2`, `x${start}`, "\uD800", "\uD801", "\uFFFD", `${"x".repeat(64)}y`];
  const recorded = ids.map(recordedImpId);
  expect(new Set(recorded).size).toBe(ids.length);
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (id) => {
      const text = recordedImpId(id);
      expect(text.length).toBeLessThanOrEqual(64);
      expect(Buffer.from(text).toString()).toBe(text);
    }),
  );
  for (const text of recorded) expect([text.length <= 64, Buffer.from(text).toString()]).toEqual([true, text]);
});
