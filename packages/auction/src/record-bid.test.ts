import { expect, test } from "vitest";
import { recordBid, recordMalformedBid } from "./record-bid.ts";

const bid = {
  id: "b",
  impid: "1",
  price: 1.25,
  adm: "<a>",
  nurl: "https://n.example.com",
  crid: "c",
  mtype: 2,
  dealid: "d",
};

test("a record has what rules read and not the markup", () => {
  const recorded = recordBid(
    {
      bid: {
        ...bid,
        adomain: ["a.example.com"],
        cat: ["IAB1"],
        cattax: 1,
        attr: [1],
        w: 1,
        h: 2,
        dur: 15,
        protocol: 3,
      },
      seat: "s",
    },
    "USD",
  );
  expect(recorded).toEqual({
    bidId: "b",
    impId: "1",
    priceMicros: 1_250_000,
    cur: "USD",
    markupLength: 3,
    mtype: 2,
    w: 1,
    h: 2,
    dur: 15,
    protocol: 3,
    adomain: ["a.example.com"],
    cat: ["IAB1"],
    cattax: 1,
    attr: [1],
    crid: "c",
    dealId: "d",
    seat: "s",
  });
});

test("the partner's own word on the media type goes before mtype", () => {
  expect(recordBid({ bid, mediaType: "native" }, "USD").mtype).toBe(4);
});

test("a record has what the VAST document says, unless the bid says both", () => {
  const adm = `<VAST version="3.0"><Ad><InLine><Creatives><Creative><Linear><Duration>00:00:15</Duration></Linear></Creative></Creatives></InLine></Ad></VAST>`;
  const vast = { major: 3, dur: 15 };
  expect(recordBid({ bid: { ...bid, adm } }, "USD").vast).toEqual(vast);
  expect(recordBid({ bid: { ...bid, adm, dur: 20 } }, "USD")).toMatchObject({ dur: 20, vast });
  expect(recordBid({ bid: { ...bid, adm, dur: 20, protocol: 0 } }, "USD")).toMatchObject({ dur: 20, vast });
  expect(recordBid({ bid: { ...bid, adm, dur: 20, protocol: 2 } }, "USD")).not.toHaveProperty("vast");
  expect(recordBid({ bid }, "USD")).not.toHaveProperty("vast");
});

test("blank markup is none", () => {
  expect(recordBid({ bid: { ...bid, adm: " \n\t" } }, "USD").markupLength).toBe(0);
});

test("markup is hashed when asked for", () => {
  expect(recordBid({ bid }, "USD", { hashMarkup: true }).markupHash).toMatch(/^[0-9a-f]{16}$/);
});

test("a bidder cannot fill the store", () => {
  const long = "x".repeat(100_000);
  const recorded = recordBid({ bid: { ...bid, crid: long, adomain: Array.from({ length: 1000 }, () => long) } }, "USD");
  expect(JSON.stringify(recorded).length).toBeLessThan(64 * 600);
  expect(recorded).toMatchObject({ fault: "malformed_bid", faultPath: "adomain" });
});

test("a bid that could not be read is kept with its field", () => {
  expect(recordMalformedBid({ bidId: "b", impId: "", path: "adm" }, "USD")).toMatchObject({
    priceMicros: null,
    fault: "malformed_bid",
    faultPath: "adm",
  });
});
