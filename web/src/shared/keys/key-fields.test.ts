import type { KeyProperty } from "@millrace/contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type KeysForm, keyFaults, keysOf, typedOf } from "./key-fields.ts";

const form = (properties: Record<string, KeyProperty>, required: string[] = []): KeysForm => ({
  type: "object",
  title: "Keys",
  properties,
  required,
});
const one = (property: Partial<KeyProperty>, required = false) =>
  form({ key: { type: "string", title: "Key", ...property } }, required ? ["key"] : []);
const faultOf = (property: Partial<KeyProperty>, key: string, required = false) =>
  keyFaults(one(property, required), { key })["key"];

test("a required key must be entered, an optional one may be empty", () => {
  expect(faultOf({}, " ", true)).toBe("This field is required");
  expect(faultOf({}, " ")).toBeUndefined();
  expect(keyFaults(one({ type: "boolean" }, true), {})["key"]).toBeUndefined();
});

test("an integer is an integer", () => {
  for (const text of ["1.5", "x", "1e3", "0x1", "1 2"]) {
    expect(faultOf({ type: "integer" }, text)).toBe("Field must be an integer");
  }
  expect(faultOf({ type: "integer" }, " -12 ")).toBeUndefined();
});

test("a number is a number", () => {
  for (const text of ["x", "1,5", "1e3", "--1", "."]) {
    expect(faultOf({ type: "number" }, text)).toBe("Field must be a number");
  }
  for (const text of ["1", "-1.5", ".5", "3."]) expect(faultOf({ type: "number" }, text)).toBeUndefined();
});

test("a list is comma-separated, with digits only for numbers", () => {
  const list = "Field must contain comma separated value list";
  const numbers = { type: "array", items: { type: "integer" } } as const;
  const texts = { type: "array", items: { type: "string" } } as const;
  expect(faultOf(numbers, "1, x")).toBe(list);
  expect(faultOf(numbers, "1 2")).toBe(list);
  expect(faultOf(numbers, "1,,2")).toBe(list);
  expect(faultOf(texts, "a,,b")).toBe(list);
  expect(faultOf(texts, "a b, c")).toBeUndefined();
  expect(keysOf(one(numbers), { key: " 1 , 22,3 " })).toEqual({ key: [1, 22, 3] });
  expect(keysOf(one(texts), { key: " a , b c" })).toEqual({ key: ["a", "b c"] });
});

test("keys are typed, empty ones are left out, and no keys are sent as an empty object", () => {
  const all = form({
    id: { type: "integer", title: "Id" },
    share: { type: "number", title: "Share" },
    test: { type: "boolean", title: "Test" },
    region: { type: "integer", title: "Region", enum: [1, 2] },
    name: { type: "string", title: "Name" },
    note: { type: "string", title: "Note" },
  });
  expect(keysOf(all, { id: "7", share: "0.5", test: true, region: "2", name: " x ", note: "" })).toEqual({
    id: 7,
    share: 0.5,
    test: true,
    region: 2,
    name: "x",
  });
  expect(keysOf(form({}), { dsp_id: "a" })).toEqual({});
});

test("unchanged keys are sent as they were", () => {
  const all = form({
    id: { type: "integer", title: "Id" },
    test: { type: "boolean", title: "Test" },
    name: { type: "string", title: "Name" },
    zones: { type: "array", title: "Zones", items: { type: "integer" } },
  });
  const keys = fc.record({
    id: fc.integer(),
    test: fc.boolean(),
    name: fc.stringMatching(/^[a-z0-9]{1,20}$/),
    zones: fc.array(fc.nat(), { minLength: 1, maxLength: 10 }),
  });
  fc.assert(
    fc.property(keys, (saved) => {
      expect(keysOf(all, typedOf(saved))).toEqual(saved);
    }),
  );
});
