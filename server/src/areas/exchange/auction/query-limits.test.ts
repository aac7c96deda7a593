import { decodeTrace } from "@millrace/auction";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt, bidsNothing } from "../testing/start-bidder.ts";
import { askForAd, startSession } from "../testing/start-exchange.ts";
import type { PartnerConfig } from "../config/snapshot.ts";
import { QueryLimits } from "./query-limits.ts";

const at = await exchangeForEachTest();

test("however queries come, no second has more than this process's part of the limit, and one that has fewer refuses none", () => {
  fc.assert(
    fc.property(fc.nat(5), fc.nat(4), fc.array(fc.nat(600), { maxLength: 60 }), (allowed, others, gaps) => {
      fc.pre(allowed + others > 0);
      const qpsLimit = allowed + others;
      const limits = new QueryLimits((most) => most - others);
      const partner = { id: "a", qpsLimit } as PartnerConfig;
      const sent: number[] = [];
      let now = 0;
      for (const gap of gaps) {
        now += gap;
        const before = sent.filter((moment) => now - moment < 1000).length;
        const isTaken = limits.take(partner, now);
        expect(isTaken).toBe(before < allowed);
        if (isTaken) sent.push(now);
      }
    }),
  );
});

test("a partner at its limit is not asked, with its reason in the trace, and the others are", async () => {
  const limited = await at.partner("limited", bidsAt(3));
  const free = await at.partner("free", bidsNothing);
  await at.stores.pg.pool.query("UPDATE partners SET qps_limit = 2 WHERE id = 'limited'");
  await at.exchange.exchange.reloadConfig();
  const session = await startSession(at.exchange, at.app);
  const start = performance.now();
  for (let nth = 0; nth < 5; nth++) await askForAd(at.exchange, session);
  const seconds = Math.floor((performance.now() - start) / 1000) + 1;
  expect(limited.requests.length).toBeGreaterThanOrEqual(2);
  expect(limited.requests.length).toBeLessThanOrEqual(2 * seconds);
  expect(free.requests).toHaveLength(5);
  const rows = await at.exchange.rows<{ trace: string }>("traces");
  const refusals = rows.flatMap(({ trace }) => decodeTrace(new TextEncoder().encode(trace)).decision.refused);
  expect(refusals).toHaveLength(5 - limited.requests.length);
  for (const refusal of refusals) expect(refusal).toEqual({ participantId: "limited", reason: "rate_limited" });
});
