import { expect, test } from "vitest";
import { somePartner, someAuction } from "../../shared/auctions/testing/some-auction.ts";
import { wireOf } from "./wire-of.ts";

test("a partner's request has the imps that it was asked for, and stays the same JSON", () => {
  const request = { id: "r", imp: [{ id: "1", mimes: ["a, b", "[c]"] }, { id: "2" }], device: { ifa: "hidden" } };
  const refusals = [{ imp: "2", reason: { code: "keys_missing", text: "" } }];
  const calls = [
    { status: { code: "bid", text: "Bid" }, http_status: 200, latency_ms: 41.4, answer: { seatbid: [1, 2] } },
  ];
  const auction = someAuction({ request, participants: [somePartner("games", { refusals, calls })] });
  const wire = wireOf(auction, "games");
  expect(JSON.parse(wire?.request ?? "")).toEqual({ ...request, imp: [request.imp[0]] });
  expect(wire?.answers.map(({ facts, text }) => [facts, JSON.parse(text ?? "") as unknown])).toEqual([
    ["HTTP 200 · after 41 ms", { seatbid: [1, 2] }],
  ]);
});

test("a call without a readable answer says how it ended, and a partner without calls has no messages", () => {
  const calls = [
    { status: { code: "timeout", text: "No answer in 81 ms" }, http_status: null, latency_ms: 81, answer: null },
  ];
  const participants = [somePartner("tardy", { calls }), somePartner("off")];
  const auction = someAuction({ request: { imp: [] }, participants });
  expect(wireOf(auction, "tardy")?.answers).toEqual([{ facts: "No answer in 81 ms · after 81 ms", text: null }]);
  expect([wireOf(auction, "off"), wireOf({ ...auction, request: null }, "tardy")]).toEqual([null, null]);
});
