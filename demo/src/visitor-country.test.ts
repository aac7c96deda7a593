import { expect, test } from "vitest";
import { withVisitorCountry } from "./visitor-country.ts";

const country = withVisitorCountry(() => "DE");

test.each(["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.1.2.3", "192.168.1.9", "172.20.0.1", "fd00::1"])(
  "a visitor from %s, which has no country, counts as one from the United States",
  (ip) => expect(country(ip)).toBe("US"),
);

test.each(["203.0.113.9", "172.15.0.1", "172.32.0.1", "2001:db8::1"])("%s keeps its country", (ip) =>
  expect(country(ip)).toBe("DE"),
);
