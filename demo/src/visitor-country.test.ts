import { expect, test } from "vitest";
import { withVisitorCountry } from "./visitor-country.ts";

const country = withVisitorCountry((ip) => (ip === "203.0.113.9" ? "DE" : "XX"));

test("a visitor whose address has no country is treated as one from the United States", () =>
  expect(country("127.0.0.1")).toBe("US"));

test("a known country is kept", () => expect(country("203.0.113.9")).toBe("DE"));
