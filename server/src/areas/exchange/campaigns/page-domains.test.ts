import { PageAddress } from "@millrace/contract";
import { advertiserDomain } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { domainOf } from "./live-creatives.ts";

const HOSTS = [
  ["shop.example", true],
  ["www.shop.example", true],
  ["www.de", true],
  ["shop.example.", true],
  ["bücher.example", true],
  ["203.0.113.5", false],
  ["203.0.113.55", false],
  ["[2001:db8::5]", false],
  ["localhost", false],
  ["shop.e", false],
  ["shop-.example", false],
] as const;

test.each(HOSTS)("a page at %s may be saved: %s, and then every auction takes its domain", (host, isSaved) => {
  const address = `https://${host}/tide`;
  expect(PageAddress.safeParse(address).success).toBe(isSaved);
  if (isSaved) expect(advertiserDomain(domainOf(address))).toMatch(/\./);
});
