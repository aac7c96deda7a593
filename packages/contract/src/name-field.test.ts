import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cleanName, nameField } from "./name-field.ts";
import { FirstName, Surname } from "./person-fields.ts";
import { TEXTS } from "./texts.ts";

const Name = nameField(100);
const faultOf = (name: string) => Name.safeParse(name).error?.issues[0]?.message;

const UNSEEN = [
  0x00, 0x07, 0x0a, 0x1b, 0x7f, 0x85, 0xad, 0x034f, 0x061c, 0x115f, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f,
  0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2066, 0x2067, 0x2068, 0x2069, 0x2800, 0x3164,
  0xe000, 0xfeff, 0xffa0, 0xfff9, 0xe0041,
].map((code) => ({
  sign: `U+${code.toString(16).toUpperCase().padStart(4, "0")}`,
  name: `Pay${String.fromCodePoint(code)}Pal`,
}));

test.each(UNSEEN)("a name with $sign is refused, and cleaning removes it", ({ name }) => {
  expect(faultOf(name)).toBe(TEXTS.nameUnseen);
  expect(cleanName(name, 100)).toBe("Pay Pal");
});

test.each([
  "Tide Puzzle",
  "Ébène & <b>Flow</b> – 2",
  "谜题",
  "بازی پازل",
  "نمی\u200Cخواهم",
  "क्\u200Dष",
  "👩\u200D👩\u200D👧 Family",
  "Heart ❤\uFE0F",
  "👍🏽",
])("the name %j is valid", (name) => {
  expect(faultOf(name)).toBeUndefined();
  expect(cleanName(name, 100)).toBe(name);
});

test.each([
  ["a family cut in its second member", "👩\u200D👧", 4, "👩"],
  ["a joiner before a space", "ا\u200C ب", 3, "ا"],
])("%s leaves no joiner at the end", (_, name, most, clean) => {
  expect(cleanName(name, most)).toBe(clean);
  expect(cleanName(clean, most)).toBe(clean);
});

test("a cleaned name is valid, within its length, and not changed by cleaning it again", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(...UNSEEN.map(({ name }) => name), "👩\u200D👧", "ا\u200C"),
  );
  fc.assert(
    fc.property(fc.array(piece), fc.integer({ min: 1, max: 30 }), (pieces, most) => {
      const clean = cleanName(pieces.join(""), most);
      expect(clean.length).toBeLessThanOrEqual(most);
      expect(nameField(most).parse(clean)).toBe(clean);
      expect(cleanName(clean, most)).toBe(clean);
    }),
  );
});

test("people's names are Latin letters, without invisible characters", () => {
  for (const { name } of UNSEEN) {
    expect(FirstName.safeParse(name).error?.issues[0]?.message).toBe(TEXTS.nameAlphabet);
    expect(Surname.safeParse(name).error?.issues[0]?.message).toBe(TEXTS.nameAlphabet);
  }
});
