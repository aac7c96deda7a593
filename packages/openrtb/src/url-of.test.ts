import { expect, test } from "vitest";
import { advertiserDomain, urlOf } from "./index.ts";

test("letters beyond ASCII are understood, however many addresses were parsed before", () => {
  const hosts = Array.from({ length: 20_000 }, () => urlOf("https://bücher.example/é")?.hostname);
  const domains = Array.from({ length: 20_000 }, () => advertiserDomain("Bücher.example"));
  expect(new Set([...hosts, ...domains])).toEqual(new Set(["xn--bcher-kva.example"]));
  expect(urlOf("no address")).toBeNull();
});
