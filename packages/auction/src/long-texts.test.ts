import { expandMacros } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { findLongText, MAX_MARKUP_LENGTH, MAX_NOTICE_LENGTH } from "./long-texts.ts";

const bid = { id: "b".repeat(512), impid: "1", price: 1 };
const filled = (length: number) => `https://b.example/${"x".repeat(length - 18)}`;

test.each(["nurl", "burl", "lurl"] as const)(
  "a %s of the most characters stands, one more is a fault of its own",
  (name) => {
    expect(findLongText({ bid: { ...bid, [name]: filled(MAX_NOTICE_LENGTH) } }, "r")).toBeNull();
    expect(findLongText({ bid: { ...bid, [name]: filled(MAX_NOTICE_LENGTH + 1) } }, "r")).toEqual({
      fault: "notice_too_long",
      faultPath: name,
    });
  },
);

test("a short notice that its macros make long is too long", () => {
  const burl = `https://b.example/?${"${AUCTION_BID_ID}".repeat(8)}`;
  expect(expandMacros(burl, { AUCTION_BID_ID: bid.id }).length).toBeGreaterThan(MAX_NOTICE_LENGTH);
  expect(findLongText({ bid: { ...bid, burl } }, "r")).toMatchObject({ fault: "notice_too_long", faultPath: "burl" });
  expect(findLongText({ bid: { ...bid, id: "b", burl } }, "r")).toBeNull();
});

test("markup is judged as it is and as it would be answered with", () => {
  expect(findLongText({ bid: { ...bid, adm: "x".repeat(MAX_MARKUP_LENGTH) } }, "r")).toBeNull();
  expect(findLongText({ bid: { ...bid, adm: "x".repeat(MAX_MARKUP_LENGTH + 1) } }, "r")).toMatchObject({
    fault: "markup_too_long",
  });
  const adm = "${AUCTION_BID_ID}".repeat(1000);
  expect(findLongText({ bid: { ...bid, adm } }, "r")).toEqual({ fault: "markup_too_long", faultPath: "adm" });
});
