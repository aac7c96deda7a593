import { decodeTrace, replay } from "@millrace/auction";
import { explainAuction } from "@millrace/contract";
import { beforeEach, expect, test } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { connectPostgres } from "../../../platform/postgres/connect-postgres.ts";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt, type TestBidder } from "../testing/start-bidder.ts";
import { askForAd, post, removeDir, startExchange, startSession } from "../testing/start-exchange.ts";
import { KillSwitches } from "./kill-switches.ts";

const at = await exchangeForEachTest();
const { pool } = at.stores.pg;
let high: TestBidder;
let low: TestBidder;

beforeEach(async () => {
  await pool.query("DELETE FROM kill_switches");
  await at.restart({ geo: () => "DE", caller: at.owner });
  high = await at.partner("high", bidsAt(2));
  low = await at.partner("low", bidsAt(1));
});

interface Conditions {
  partner?: string;
  app?: number;
  from?: string;
  to?: string;
  countries?: string[];
}

/** Without waiting for an exchange to read it. */
async function switchOff({ partner, app, from, to, countries = [] }: Conditions): Promise<void> {
  await pool.query(
    `INSERT INTO kill_switches (partner_id, app_id, sdk_from, sdk_to, countries, reason, created_at)
     VALUES ($1, $2, $3, $4, $5, 'It crashes', now())`,
    [partner, app, from, to, countries],
  );
}

async function switchedOff(conditions: Conditions): Promise<void> {
  await switchOff(conditions);
  await at.exchange.exchange.reloadConfig();
}

const soldTo = ({ ads }: Awaited<ReturnType<typeof askForAd>>) => ads[0]?.provider ?? null;
const session = (version = "1.0.0", exchange = at.exchange) => startSession(exchange, at.app, { sdk_version: version });

test("two exchange processes follow a kill switch, and its end, within five seconds, without being told by anybody", async () => {
  const two = await startExchange(at.stores, { geo: () => "DE", caller: at.owner });
  const both = [at.exchange, two];
  try {
    const sessions = await Promise.all(both.map((exchange) => session("1.0.0", exchange)));
    const sold = () => Promise.all(both.map(async (each, nth) => soldTo(await askForAd(each, sessions[nth] ?? ""))));
    /** Milliseconds until both sell to this partner. */
    const passed = async (provider: string) => {
      const from = performance.now();
      await expect.poll(sold, { interval: 20, timeout: 30_000 }).toEqual([provider, provider]);
      return performance.now() - from;
    };
    await passed("high");
    await switchOff({ partner: "high" });
    expect(await passed("low")).toBeLessThan(5000);
    await pool.query("UPDATE kill_switches SET ended_at = now()");
    expect(await passed("high")).toBeLessThan(5000);
  } finally {
    await two.stop();
    await removeDir(two.dataDir);
  }
});

test("a switch is followed by its poll where no notification arrives", async () => {
  const own = connectPostgres(at.stores.pg.url, { max: 1 });
  const switches = new KillSwitches(own.pool, silentLog);
  const request = { appId: at.app.id, sdkVersion: "", country: "DE" };
  await switches.start();
  try {
    expect(switches.of(request)).toBeNull();
    await switchOff({ partner: "high" });
    await expect.poll(() => switches.of(request)?.partners.has("high"), { interval: 20, timeout: 30_000 }).toBe(true);
  } finally {
    await switches.stop();
    await own.close();
  }
});

test("a partner is switched off for the SDK's versions and the countries of the switch alone", async () => {
  const [old, mended] = [await session("1.1.9"), await session("1.2.0")];
  await switchedOff({ partner: "high", from: "1.1.0", to: "1.1.9", countries: ["DE", "FR"] });
  expect(soldTo(await askForAd(at.exchange, old))).toBe("low");
  expect(soldTo(await askForAd(at.exchange, mended))).toBe("high");
  // Servers and players have no SDK.
  const { seatbid } = await askOpenrtb(at.exchange, bannerRequest());
  expect(seatbid?.[0]?.bid[0]?.price).toBe(2);
  await pool.query("UPDATE kill_switches SET countries = '{FR}'");
  await at.exchange.exchange.reloadConfig();
  expect(soldTo(await askForAd(at.exchange, old))).toBe("high");
});

test("the trace says that a partner was switched off, replays to the same bytes, and the auction page says why", async () => {
  const own = await session();
  await switchedOff({ partner: "high", app: at.app.id });
  const { auction } = await askForAd(at.exchange, own);
  expect([high.requests.length, low.requests.length]).toEqual([0, 1]);
  const [row] = await at.exchange.rows<{ trace: string }>("traces");
  const bytes = new TextEncoder().encode(row?.trace);
  expect(replay(bytes)).toMatchObject({ same: true, path: null });
  expect(decodeTrace(bytes).decision.refused).toEqual([{ participantId: "high", reason: "switched_off" }]);
  const reply = await at.exchange.app.inject({ method: "GET", url: `/auctions/${auction}.json` });
  const { participants } = explainAuction.reply.parse(reply.json());
  expect(participants.find(({ provider }) => provider === "high")?.results[0]).toMatchObject({
    result: "not_asked",
    text: "Paused by the platform's operator",
  });
});

test("an SDK version that is switched off is told so with every answer, nobody is asked, and the request counts with its reason", async () => {
  const [bad, good] = [await session("1.1.0"), await session("1.2.0")];
  await switchedOff({ to: "1.1.9" });
  const reply = await askForAd(at.exchange, bad);
  expect(reply).toMatchObject({
    ads: [],
    disabled: true,
    reason: "Paused by the platform's operator",
  });
  const ping = await post(at.exchange, "/sdk/v1/ping", { session: bad, seq: 1, seconds: 0 });
  expect(ping.json()).toEqual({ ok: true, disabled: true });
  expect([high.requests.length, low.requests.length]).toEqual([0, 0]);
  const started = await post(at.exchange, "/sdk/v1/init", {
    app: at.app.uuid,
    platform: "android",
    sdk_version: "1.0.7",
    install_id: "0f8fad5b-d9cb-469f-a165-70867728950e",
    device: { os: "android" },
  });
  expect(started.json()).toMatchObject({ disabled: true });
  const served = await askForAd(at.exchange, good);
  expect([soldTo(served), served.disabled]).toEqual(["high", undefined]);
  const rows = await at.exchange.rows<{ no_ad: string; winner: string }>("auctions");
  expect(rows.map(({ no_ad: why, winner }) => `${why}/${winner}`).toSorted()).toEqual(["/high", "switched_off/"]);
});

test("an app that is switched off sells nothing by any way until the switch is gone", async () => {
  await switchedOff({ app: at.app.id });
  expect(await askForAd(at.exchange, await session())).toMatchObject({ ads: [], disabled: true });
  expect(await askOpenrtb(at.exchange, bannerRequest())).toMatchObject({ nbr: 0 });
  await pool.query("DELETE FROM kill_switches");
  await at.exchange.exchange.reloadConfig();
  expect(soldTo(await askForAd(at.exchange, await session()))).toBe("high");
});
