import { decodeTrace, replay } from "@millrace/auction";
import { explainAuction } from "@millrace/contract";
import { expect, test } from "vitest";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt } from "../testing/start-bidder.ts";
import { tmaxWithin } from "./tmax-within.ts";

const at = await exchangeForEachTest();

test("a partner is told the time that is left without its way, but never less than half", () => {
  expect(tmaxWithin(93.4, 20.1)).toBe(73);
  expect(tmaxWithin(90, 80)).toBe(45);
  expect(tmaxWithin(-3, 80)).toBe(1);
});

test("once a partner's way is known, its requests have a tmax of their own, which the trace has and the page shows byte by byte", async () => {
  const bidder = await at.partner("buyer", bidsAt(2));
  const device = { ip: "8.8.8.0", os: "Android" };
  for (let nth = 0; nth < 21; nth++) await askOpenrtb(at.exchange, bannerRequest({ device, regs: { gdpr: 0 } }));
  const { id } = await askOpenrtb(at.exchange, bannerRequest({ id: "last", device, regs: { gdpr: 0 } }));
  expect(id).toBe("last");
  const [first, last] = [bidder.requests[0], bidder.requests.at(-1)];
  expect(first?.tmax).toBe(500);
  expect(last?.tmax).toBeGreaterThanOrEqual(200);
  expect(last?.tmax).toBeLessThan(495);
  const rows = await at.exchange.rows<{ trace: string; auction_id: string }>("traces");
  const stored = rows.map(({ trace }) => new TextEncoder().encode(trace));
  const bytes = stored.find((each) => decodeTrace(each).input.request.id === last?.id);
  if (!bytes) throw new Error("there is no trace of the last auction");
  const { input } = decodeTrace(bytes);
  expect(input.tmaxes).toEqual([{ participantId: "buyer", tmaxMs: last?.tmax }]);
  expect(replay(bytes)).toMatchObject({ same: true, path: null });
  const reply = await at.exchange.app.inject({ method: "GET", url: `/auctions/${input.id}.json` });
  const { participants } = explainAuction.reply.parse(reply.json());
  const [call] = participants.find(({ provider }) => provider === "buyer")?.calls ?? [];
  expect(JSON.stringify(call?.sent?.body)).toBe(JSON.stringify(last));
});
