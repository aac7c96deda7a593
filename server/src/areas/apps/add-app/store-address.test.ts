import fc from "fast-check";
import { expect, test } from "vitest";
import { readStoreAddress } from "./store-address.ts";

const urlOf = (text: string) => readStoreAddress(text)?.url ?? null;
const HEX = "0123456789abcdef0123456789abcdef";

test("the form of an id identifies its store", () => {
  expect(urlOf("123456789")).toBe("https://apps.apple.com/us/app/id123456789");
  expect(urlOf(" id123456789 ")).toBe("https://apps.apple.com/us/app/id123456789");
  expect(urlOf("ID0123")).toBe("https://apps.apple.com/us/app/id123");
  expect(urlOf(HEX.toUpperCase())).toBe(`https://channelstore.roku.com/details/${HEX}`);
  expect(urlOf("1".repeat(32))).toBe(`https://channelstore.roku.com/details/${"1".repeat(32)}`);
  expect(urlOf("com.Example.tide_2")).toBe("https://play.google.com/store/apps/details?id=com.Example.tide_2");
  expect(urlOf("b0abcdef12")).toBe("https://www.amazon.com/dp/B0ABCDEF12");
});

test("a store's address is parsed with any suffix", () => {
  for (const address of [
    "https://play.google.com/store/apps/details?id=com.example.tide&hl=en&gl=US&referrer=utm_source%3Dmail#reviews",
    "play.google.com/store/apps/details?pcampaignid=x&id=com.example.tide",
    "market://details?id=com.example.tide&referrer=x",
    "http://play.google.com/store/apps/details/?id=com.example.tide",
  ]) {
    expect(readStoreAddress(address)).toEqual(readStoreAddress("com.example.tide"));
  }
  for (const address of [
    "https://apps.apple.com/de/app/tide-über-ebbe/id123?mt=8&uo=4#see-all",
    "https://itunes.apple.com/DE/app/id123",
    "apps.apple.com/de/app/tide/id123",
  ]) {
    expect(urlOf(address)).toBe("https://apps.apple.com/de/app/id123");
  }
  expect(urlOf("https://apps.apple.com/app/tide/id123")).toBe("https://apps.apple.com/us/app/id123");
  for (const address of [
    "https://www.amazon.de/Tide-Games/dp/B0ABCDEF12/ref=sr_1_1?crid=1&keywords=tide",
    "amazon.de/gp/product/B0ABCDEF12?tag=x",
    "https://www.amazon.de/gp/mas/dl/android?asin=B0ABCDEF12&ref=x",
  ]) {
    expect(urlOf(address)).toBe("https://www.amazon.de/dp/B0ABCDEF12");
  }
  for (const address of [
    `https://channelstore.roku.com/details/${HEX}/tide`,
    `https://channelstore.roku.com/en-gb/details/${HEX}:${"f".repeat(32)}/tide?utm_source=x`,
    `channelstore.roku.com/details/${HEX}`,
  ]) {
    expect(urlOf(address)).toBe(`https://channelstore.roku.com/details/${HEX}`);
  }
});

test("everything else is refused", () => {
  for (const text of [
    "",
    "   ",
    "tide",
    "id",
    "0",
    "1".repeat(16),
    "B0ABCDEF1",
    HEX.slice(1),
    "com.example.",
    "com..example",
    "com.1example",
    `com.${"x".repeat(200)}`,
    "play.google.com",
    "apps.apple.com",
    "www.amazon.com",
    "channelstore.roku.com",
    "https://play.google.com/store/apps/developer?id=com.example.tide",
    "https://play.google.com/store/apps/details?id=../../etc",
    "https://play.google.com/store/apps/details",
    "https://play.google.com@example.com/store/apps/details?id=com.example.tide",
    "https://play.google.com.example.com/store/apps/details?id=com.example.tide",
    "https://play.google.com:8443/store/apps/details?id=com.example.tide",
    "https://example.com/?u=https://apps.apple.com/us/app/id123",
    "https://apps.apple.com/us/developer/tide/id123",
    "https://amazon.evil.com/dp/B0ABCDEF12",
    "https://www.amazon.com/dp/B0ABCDEF12345",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "http://169.254.169.254/latest",
    "com.example.tide\u0000",
    "<script>alert(1)</script>",
  ]) {
    expect([text, readStoreAddress(text)]).toEqual([text, null]);
  }
});

const digits = fc.stringMatching(/^[1-9]\d{0,14}$/);
const packages = fc
  .array(fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/), { minLength: 2, maxLength: 5 })
  .map((parts) => parts.join("."));
const junk = fc.webQueryParameters().filter((query) => !/(^|&)(id|asin)=/.test(query));

test("any id gives its store's address, which gives the same id", () => {
  fc.assert(
    fc.property(
      fc.oneof(digits, fc.stringMatching(/^[0-9a-f]{32}$/), packages, fc.stringMatching(/^B0[0-9A-Z]{8}$/)),
      junk,
      (id, query) => {
        const found = readStoreAddress(id);
        expect(found?.id).toBe(id);
        const url = found?.url ?? "";
        expect(readStoreAddress(url)).toEqual(found);
        expect(readStoreAddress(`${url}${url.includes("?") ? "&" : "?"}${query}`)).toEqual(found);
      },
    ),
  );
});

test("any pasted text gives a store's own address or nothing", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.webUrl(),
    fc.webUrl().map((url) => url.slice(8)),
  );
  fc.assert(
    fc.property(text, (pasted) => {
      const found = readStoreAddress(pasted);
      if (!found) return;
      const { hostname, protocol } = new URL(found.url);
      expect(protocol).toBe("https:");
      expect(hostname).toMatch(/^(play\.google\.com|apps\.apple\.com|channelstore\.roku\.com|www\.amazon\.[a-z.]+)$/);
      expect(readStoreAddress(found.url)).toEqual(found);
    }),
    { numRuns: 500 },
  );
});
