import * as fc from "fast-check";
import { expect, test } from "vitest";
import { expandMacro, expandMacros, fitsExpanded, MACROS, type MacroValues } from "./macros.ts";

test("the standard's macros are expanded anywhere in a text", () => {
  const values = {
    AUCTION_ID: "a-1",
    AUCTION_PRICE: "1.25",
    AUCTION_CURRENCY: "USD",
    AUCTION_LOSS: 102,
    AUCTION_MIN_TO_WIN: 1.3,
  };
  expect(expandMacros("https://n.example.com/w?a=${AUCTION_ID}&p=${AUCTION_PRICE}&c=${AUCTION_CURRENCY}", values)).toBe(
    "https://n.example.com/w?a=a-1&p=1.25&c=USD",
  );
  expect(expandMacros("l=${AUCTION_LOSS}&m=${AUCTION_MIN_TO_WIN}", values)).toBe("l=102&m=1.3");
});

test("a macro without a value becomes empty, and an unknown one stays", () => {
  expect(expandMacros("${AUCTION_PRICE}|${CLICK_URL}|${AUCTION_UNHEARD_OF}|$AUCTION_PRICE", {})).toBe(
    "|${CLICK_URL}|${AUCTION_UNHEARD_OF}|$AUCTION_PRICE",
  );
});

test(":B64 gives Base64 of the UTF-8 bytes", () => {
  expect(expandMacros("${AUCTION_PRICE:B64}", { AUCTION_PRICE: "1.25" })).toBe("MS4yNQ==");
  expect(expandMacros("${AUCTION_SEAT_ID:B64}", { AUCTION_SEAT_ID: "é€" })).toBe("w6nigqw=");
});

test("a percent-encoded macro gets a percent-encoded value", () => {
  const values = { AUCTION_PRICE: "1.25", AUCTION_ID: "a b&c" };
  expect(expandMacros("u=%24%7BAUCTION_ID%7D", values)).toBe("u=a%20b%26c");
  expect(expandMacros("u=%24%7bAUCTION_PRICE%7d", values)).toBe("u=1.25");
  expect(expandMacros("u=%24%7BAUCTION_PRICE%3AB64%7D", values)).toBe("u=MS4yNQ%3D%3D");
});

test("a value cannot add a parameter, leave its path or end its attribute", () => {
  const imp = { AUCTION_IMP_ID: "1&p=0.01" };
  expect(expandMacros("https://n.example.com/w?i=${AUCTION_IMP_ID}&p=${AUCTION_PRICE}", imp)).toBe(
    "https://n.example.com/w?i=1%26p%3D0.01&p=",
  );
  const hostile = expandMacros("<a id='${AUCTION_ID}' title=\"${AUCTION_ID}\">", { AUCTION_ID: `'"/../<b>` });
  expect(hostile).toBe("<a id='%27%22%2F..%2F%3Cb%3E' title=\"%27%22%2F..%2F%3Cb%3E\">");
  expect(expandMacros("${AUCTION_ID}", { AUCTION_ID: "3f2504e0-4f89_11d3.9a0c~1" })).toBe("3f2504e0-4f89_11d3.9a0c~1");
});

test("a macro can wait for its value, and no other text is read as a macro then", () => {
  const address = "https://n.example/b?t=${AUCTION_IMP_TS}&u=%24%7BAUCTION_IMP_TS%3AB64%7D&s=${AUCTION_SEAT_ID}";
  const kept = expandMacros(address, { AUCTION_SEAT_ID: "${AUCTION_PRICE}", AUCTION_IMP_TS: 1 }, "AUCTION_IMP_TS");
  expect(kept).toBe("https://n.example/b?t=${AUCTION_IMP_TS}&u=%24%7BAUCTION_IMP_TS%3AB64%7D&s=%24%7BAUCTION_PRICE%7D");
  expect(expandMacro(kept, "AUCTION_IMP_TS", 25)).toBe("https://n.example/b?t=25&u=MjU%3D&s=%24%7BAUCTION_PRICE%7D");
});

test("a bidder's long id cannot fill the memory", () => {
  const long = { AUCTION_AD_ID: "x".repeat(500_000), AUCTION_SEAT_ID: "x".repeat(512) };
  expect(expandMacros("[${AUCTION_AD_ID}|${AUCTION_AD_ID:B64}]", long)).toBe("[|]");
  expect(expandMacros("${AUCTION_SEAT_ID}", long)).toHaveLength(512);
});

test("a value is never read as a macro, and no text or value throws", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(...MACROS).map((name) => `\${${name}}`),
  );
  fc.assert(
    fc.property(fc.array(piece), fc.string({ unit: "binary" }), (pieces, odd) => {
      const values: MacroValues = { AUCTION_PRICE: "${AUCTION_ID}", AUCTION_SEAT_ID: odd };
      const expected = pieces.map((text) =>
        text === "${AUCTION_PRICE}"
          ? "%24%7BAUCTION_ID%7D"
          : text === "${AUCTION_SEAT_ID}"
            ? expandMacros("%24%7BAUCTION_SEAT_ID%7D", values)
            : MACROS.some((name) => text === `\${${name}}`)
              ? ""
              : text,
      );
      expect(expandMacros(pieces.join("\n"), values)).toBe(expected.join("\n"));
    }),
  );
  expect(expandMacros("%24%7BAUCTION_ID%7D", { AUCTION_ID: "\uD800" })).toBe("%EF%BF%BD");
});

test("the length of an expanded text is known without expanding it", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(...MACROS, "CLICK_URL").map((name) => `\${${name}}`),
    fc.constantFrom("${AUCTION_ID:B64}", "%24%7BAUCTION_ID%7D", "%24%7BAUCTION_ID%3AB64%7D"),
  );
  fc.assert(
    fc.property(fc.array(piece), fc.string({ maxLength: 600 }), fc.nat(3000), (pieces, id, max) => {
      const text = pieces.join("");
      const values = { AUCTION_ID: id, AUCTION_PRICE: "1.25" };
      const isWithin = text.length <= max && expandMacros(text, values).length <= max;
      expect(fitsExpanded(text, values, max)).toBe(isWithin);
    }),
  );
});

test("half a megabyte of macros with the longest value is measured quickly", () => {
  const bomb = "${AUCTION_BID_ID}".repeat(30_000);
  const from = performance.now();
  for (let round = 0; round < 100; round++) {
    expect(fitsExpanded(bomb, { AUCTION_BID_ID: "é".repeat(512) }, 600_000)).toBe(false);
  }
  expect(performance.now() - from).toBeLessThan(1000);
});
