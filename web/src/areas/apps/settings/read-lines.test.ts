import { Blocks, TestDevices } from "@millrace/contract";
import { expect, test } from "vitest";
import { entriesFault, entriesOf } from "./read-lines.ts";

test("entries are separated by lines, commas and spaces", () => {
  expect(entriesOf(" a.test\n\nb.test, c.test;d.test ")).toEqual(["a.test", "b.test", "c.test", "d.test"]);
  expect(entriesOf(" \n ")).toEqual([]);
});

test("the first invalid entry is named", () => {
  expect(entriesFault(Blocks.shape.domains, "shop.example\nhttps://shop.example")).toBe(
    "https://shop.example: Use a domain like shop.example",
  );
  expect(entriesFault(TestDevices.shape.devices, "38400000-8cf0-11bd-b23e-10b96e40000d\nmine")).toBe(
    "mine: Use an advertising id: 8-4-4-4-12 hex digits",
  );
  const hidden = "00000000-0000-0000-0000-000000000000";
  expect(entriesFault(TestDevices.shape.devices, hidden)).toMatch(`${hidden}: This phone hides its advertising id`);
  expect(entriesFault(Blocks.shape.domains, "shop.example")).toBeNull();
});

test("too many entries are refused", () => {
  const many = Array.from({ length: 501 }, (_, index) => `s${index}.example`).join("\n");
  expect(entriesFault(Blocks.shape.domains, many)).toBe("At most 500");
  expect(entriesFault(Blocks.shape.domains, many, "Advertiser domains")).toBe("Advertiser domains: At most 500");
});
