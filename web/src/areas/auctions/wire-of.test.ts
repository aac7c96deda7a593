import { expect, test } from "vitest";
import { somePartner, someAuction } from "../../shared/auctions/testing/some-auction.ts";
import { wireOf } from "./wire-of.ts";

test("a partner's request has the imps that it was asked for, and stays the same JSON", () => {
  const request = { id: "r", imp: [{ id: "1", mimes: ["a, b", "[c]"] }, { id: "2" }], device: { ifa: "hidden" } };
  const refusals = [{ imp: "2", reason: { code: "keys_missing", text: "" } }];
  const calls = [
    {
      status: { code: "bid", text: "Bid" },
      http_status: 200,
      latency_ms: 41.4,
      sent: null,
      answer: { seatbid: [1, 2] },
    },
  ];
  const auction = someAuction({ request, participants: [somePartner("games", { refusals, calls })] });
  const wire = wireOf(auction, "games");
  expect(wire?.isAsSent).toBe(false);
  expect(wire?.messages.map(({ name, facts, text }) => [name, facts, JSON.parse(text ?? "") as unknown])).toEqual([
    ["Request", "OpenRTB 2.6", { ...request, imp: [request.imp[0]] }],
    ["Answer", "HTTP 200 · after 41 ms", { seatbid: [1, 2] }],
  ]);
});

test("a call without a readable answer says how it ended, and a partner without calls has no messages", () => {
  const calls = [
    {
      status: { code: "timeout", text: "No answer in 81 ms" },
      http_status: null,
      latency_ms: 81,
      sent: null,
      answer: null,
    },
  ];
  const participants = [somePartner("tardy", { calls }), somePartner("off")];
  const auction = someAuction({ request: { imp: [] }, participants });
  expect(wireOf(auction, "tardy")?.messages[1]).toEqual({
    name: "Answer",
    facts: "No answer in 81 ms · after 81 ms",
    text: null,
    why: "No body that could be read.",
  });
  expect([wireOf(auction, "off"), wireOf({ ...auction, request: null }, "tardy")]).toEqual([null, null]);
});

test("requests that the adapter's own code made again stand beside their answers, call by call", () => {
  const call = (id: string) => ({
    status: { code: "no_bid", text: "No bid" },
    http_status: 204,
    latency_ms: 20,
    sent: { version: "2.5" as const, body: { imp: [{ id }] } },
    answer: null,
  });
  const auction = someAuction({
    request: { imp: [] },
    participants: [somePartner("games", { calls: [call("1"), call("2")] })],
  });
  const wire = wireOf(auction, "games");
  expect(wire?.isAsSent).toBe(true);
  expect(wire?.messages[1]?.why).toBe("HTTP 204 has no body. It means no bid.");
  expect(wire?.messages.map(({ name, facts }) => `${name}: ${facts}`)).toEqual([
    "Request: call 1 · OpenRTB 2.5",
    "Answer: call 1 · HTTP 204 · after 20 ms",
    "Request: call 2 · OpenRTB 2.5",
    "Answer: call 2 · HTTP 204 · after 20 ms",
  ]);
});
