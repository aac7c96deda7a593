import { decodeTrace, replay } from "@millrace/auction";
import { explainAuction } from "@millrace/contract";
import { expect, test } from "vitest";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { goodBid, sendBids } from "../testing/start-bidder.ts";

const at = await exchangeForEachTest();

test("where a partner is called for each imp, an imp's reason and statistics are those of its own call", async () => {
  const late = new Set(["2"]);
  await at.partner(
    "loopme",
    (request, reply, origin) => {
      const [imp] = request.imp;
      if (late.has(imp?.id ?? "")) return;
      sendBids(reply, request, imp?.id === "1" ? [goodBid(request, origin, 2)] : []);
    },
    { kind: "loopme", keys: { publisherId: "1" } },
  );
  const imp = ["1", "2", "3"].map((id) => ({ id, tagid: id, banner: { format: [{ w: 320, h: 50 }] } }));
  const { seatbid } = await askOpenrtb(at.exchange, bannerRequest({ imp }));
  expect(seatbid?.flatMap(({ bid }) => bid.map(({ impid }) => impid))).toEqual(["1"]);

  const rows = await at.exchange.rows<{ auction_id: string; imp_id: string; outcomes: string[] }>("auctions");
  const outcomes = rows.map(({ imp_id, outcomes: of }) => [imp_id, of] as const);
  expect(new Map(outcomes)).toEqual(
    new Map([
      ["1", ["bid"]],
      ["2", ["timeout"]],
      ["3", ["no_bid"]],
    ]),
  );
  const reply = await at.exchange.app.inject({ method: "GET", url: `/auctions/${rows[0]?.auction_id}.json` });
  const { participants } = explainAuction.reply.parse(reply.json());
  expect(participants[0]?.results.map(({ imp: of, result, text }) => [of, result, text])).toEqual([
    ["1", "won", "The only valid bid"],
    ["2", "timeout", expect.stringMatching(/^No answer in \d+ ms, when bids closed$/)],
    ["3", "no_bid", ""],
  ]);
  const [stored] = await at.exchange.rows<{ trace: string }>("traces");
  const bytes = new TextEncoder().encode(stored?.trace);
  const { decision, responses } = decodeTrace(bytes);
  expect(decision.imps.map(({ noAdReason }) => noAdReason)).toEqual([null, "timeout", "no_demand"]);
  expect(responses.flatMap(({ impIds = [] }) => impIds).toSorted((a, b) => a.localeCompare(b))).toEqual([
    "1",
    "2",
    "3",
  ]);
  expect(replay(bytes)).toMatchObject({ same: true });
});
