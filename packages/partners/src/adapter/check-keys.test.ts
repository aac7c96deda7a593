import { expect, test } from "vitest";
import { asNumber, asText, checkKeys, keysBySchema } from "./check-keys.ts";
import { fillEndpoint } from "./endpoint.ts";
import type { KeysSchema } from "./adapter.ts";

const schema: KeysSchema = {
  type: "object",
  title: "Example",
  properties: {
    placement: { type: "integer", title: "Placement", minimum: 1 },
    code: { type: "string", title: "Code", pattern: "^[a-z]+$", maxLength: 5 },
    member: { type: "string", title: "Member" },
    share: { type: "number", title: "Share", maximum: 1 },
    test: { type: "boolean", title: "Test" },
    sizes: { type: "array", title: "Sizes", items: { type: "integer" } },
    position: { type: "string", title: "Position", enum: ["above", "below"] },
  },
  required: ["position"],
  anyOf: [{ required: ["placement"] }, { required: ["code", "member"] }],
  additionalProperties: false,
};
const good = { position: "above", placement: 7 };

test("valid keys have no fault", () => {
  expect(checkKeys(schema, good)).toBeNull();
  expect(
    checkKeys(schema, { position: "below", code: "abc", member: "1", share: 0.5, test: false, sizes: [1, 2] }),
  ).toBeNull();
  expect(checkKeys({ ...schema, additionalProperties: true }, { ...good, more: 1 })).toBeNull();
});

test.each([
  [null, "", "must be an object"],
  [{ placement: 7 }, "position", "is required"],
  [{ ...good, position: "" }, "position", "is required"],
  [{ ...good, position: "left" }, "position", "must be one of above, below"],
  [{ ...good, placement: 0 }, "placement", "must be at least 1"],
  [{ ...good, placement: 1.5 }, "placement", "must be a whole number"],
  [{ ...good, placement: "7" }, "placement", "must be a number"],
  [{ ...good, code: "ABC" }, "code", "has the wrong form"],
  [{ ...good, code: "abcdef" }, "code", "must have at most 5 characters"],
  [{ ...good, share: 2 }, "share", "must be at most 1"],
  [{ ...good, sizes: "1" }, "sizes", "must be a list"],
  [{ ...good, sizes: [1, "2"] }, "sizes", "must be a number (each entry)"],
  [{ ...good, test: 1 }, "test", "must be true or false"],
  [{ ...good, more: 1 }, "more", "is not a key of this partner"],
  [{ position: "above", code: "abc" }, "placement", "is required: placement, or code with member"],
  [JSON.parse('{"position":"above","placement":1,"__proto__":{}}'), "__proto__", "is not a key of this partner"],
] as [unknown, string, string][])("%j is refused with its key", (keys, key, message) => {
  expect(checkKeys(schema, keys)).toEqual({ key, message });
});

const withForms: KeysSchema = {
  ...schema,
  aliases: { oldPlacement: "placement" },
  forms: { placement: asNumber, share: asNumber, code: asText, member: asText },
};

test("a key in another form is read in that of its property, also under an old name", () => {
  const typed = { position: "above", oldPlacement: " 7 ", share: "0.5", member: 12 };
  expect(keysBySchema(withForms, typed)).toEqual({ position: "above", placement: 7, share: 0.5, member: "12" });
  expect(checkKeys(withForms, typed)).toBeNull();
  expect(typed.oldPlacement).toBe(" 7 ");
  expect(keysBySchema(withForms, { placement: "", code: "abc" })).toEqual({ code: "abc" });
});

test.each([
  [{ position: "above", placement: "7a" }, "placement", "must be a number"],
  [{ position: "above", placement: "1.5" }, "placement", "must be a whole number"],
  [{ position: "above", placement: "0x7" }, "placement", "must be a number"],
  [{ position: "above", placement: "0" }, "placement", "must be at least 1"],
  [{ position: "above", placement: "" }, "placement", "is required: placement, or code with member"],
  [{ position: "above", placement: 7, code: 5 }, "code", "has the wrong form"],
  [{ position: "above", placement: 7, member: true }, "member", "must be text"],
])("%j is refused although its keys may have another form", (keys, key, message) => {
  expect(checkKeys(withForms, keys)).toEqual({ key, message });
});

test.each([
  ["https://{{Host}}.example.com/{{Id}}", { Host: "eu-1", Id: 7 }, "https://eu-1.example.com/7"],
  ["https://{{Host}}/rtb", { Host: "bidder.example.com:8080" }, "https://bidder.example.com:8080/rtb"],
  ["https://b.example.com/p/{{Id}}/rtb", { Id: "pub_7-b.c" }, "https://b.example.com/p/pub_7-b.c/rtb"],
  ["https://{{Host}}.example.com", {}, undefined],
  ["https://{{Host}}.example.com", { Host: "a/b" }, undefined],
  ["https://{{Host}}.example.com", { Host: "a@b" }, undefined],
  ["https://b.example.com/p/{{Id}}/rtb", { Id: ".." }, undefined],
  ["https://b.example.com/p/{{Id}}/rtb", { Id: "." }, undefined],
  ["https://{{constructor}}.example.com", {}, undefined],
  ["ftp://example.com", {}, undefined],
  ["", {}, undefined],
])("the endpoint %s with %j", (endpoint, values, url) => {
  expect(fillEndpoint(endpoint, { macros: values })).toBe(url);
});
