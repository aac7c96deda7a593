import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { exchangeForEachTest } from "./testing/exchange-for-each-test.ts";
import { bidsAt } from "./testing/start-bidder.ts";
import { askForAd, fire, startSession } from "./testing/start-exchange.ts";

const at = await exchangeForEachTest();

test("the metrics count auctions, notices and events", async () => {
  const registry = new Registry();
  await at.restart({ metrics: registry });
  const session = await startSession(at.exchange, at.app);
  await askForAd(at.exchange, session);
  await at.partner("buyer", bidsAt(1));
  const { ads } = await askForAd(at.exchange, session);
  await fire(at.exchange, ads[0]?.beacons.impression ?? "");
  for (let nth = 0; nth < 9; nth++) await fire(at.exchange, "https://x.example/beacon/impression?t=forged");
  await at.exchange.exchange.drain();
  const shown = await registry.metrics();
  for (const line of [
    'millrace_imps_total{result="sold"} 1',
    'millrace_imps_total{result="no_partner_ready"} 1',
    'millrace_notices_total{result="sent"} 2',
    "millrace_partner_connections 1",
    "millrace_paused_partners 0",
    // The impression, and the place that it filled.
    "millrace_seen_events 2",
    // All nine, although only five are stored as rows.
    'millrace_invalid_events_total{result="forged"} 9',
  ]) {
    expect(shown).toContain(`${line}\n`);
  }
});
