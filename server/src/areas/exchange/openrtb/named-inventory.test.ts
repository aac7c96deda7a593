import type { BidRequest } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt } from "../testing/start-bidder.ts";
import { askForAd, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

/** The id of the app's account, by which app-ads.txt and sellers.json name it. */
async function sellerId(): Promise<string> {
  const { rows } = await at.stores.pg.pool.query<{ uuid: string }>("SELECT uuid FROM accounts WHERE id = $1", [
    at.app.accountId,
  ]);
  return rows[0]?.uuid ?? expect.fail();
}

async function setApp(column: "url" | "platform" | "store_id", value: string): Promise<void> {
  await at.stores.pg.pool.query(`UPDATE apps SET ${column} = $2 WHERE id = $1`, [at.app.id, value]);
  await at.exchange.exchange.reloadConfig();
}

/** What a request's inventory is to buyers. */
async function toldOf(inventory: Partial<BidRequest>): Promise<BidRequest> {
  const buyer = await at.partner("buyer", bidsAt(2));
  const { seatbid } = await askOpenrtb(at.exchange, bannerRequest({ app: undefined, ...inventory }));
  expect(seatbid).toHaveLength(1);
  return buyer.requests[0] ?? expect.fail();
}

test("an app whose request has its key alone is told to buyers as in SDK requests", async () => {
  await setApp("url", "https://play.google.com/store/apps/details?id=com.example.game");
  const buyer = await at.partner("buyer", bidsAt(2));
  await askOpenrtb(at.exchange, bannerRequest({ app: { id: at.app.uuid } }));
  await askForAd(at.exchange, await startSession(at.exchange, at.app));
  const [byServer, bySdk] = buyer.requests.map(({ app }) => app);
  expect(byServer).toEqual(bySdk);
  expect(byServer).toMatchObject({ bundle: "com.example.game", name: "Puzzle", publisher: { id: await sellerId() } });
});

test.each(["app", "site", "dooh"] as const)(
  "the publisher of a request's %s has the seller's id, and the rest of what the request says of it",
  async (place) => {
    const told = await toldOf({ [place]: { id: at.app.uuid, publisher: { id: "1", name: "Studio" } } });
    expect(told[place]?.publisher).toEqual({ id: await sellerId(), name: "Studio" });
  },
);

test("an app's key sells under no other app's bundle or store address, and the rest of the request's app stays", async () => {
  await setApp("url", "https://play.google.com/store/apps/details?id=com.example.game");
  const storeurl = "https://play.google.com/store/apps/details?id=com.bank.famous";
  const told = await toldOf({ app: { id: at.app.uuid, bundle: "com.bank.famous", storeurl, name: "Mine", ver: "2" } });
  expect(told.app).toMatchObject({ bundle: "com.example.game", name: "Mine", ver: "2" });
  expect(JSON.stringify(told)).not.toContain("com.bank.famous");
});

test.each(["ios", "tvos"])("an app of the App Store on %s is known by its number there", async (platform) => {
  await setApp("platform", platform);
  await setApp("store_id", "1234567890");
  const buyer = await at.partner("buyer", bidsAt(2));
  await askForAd(at.exchange, await startSession(at.exchange, at.app, { platform }));
  for (const app of [{ bundle: "1234567890" }, { bundle: "com.example.game" }, { id: at.app.uuid }]) {
    const { seatbid } = await askOpenrtb(at.exchange, bannerRequest({ app }));
    expect([app, seatbid?.length]).toEqual([app, 1]);
  }
  expect(buyer.requests.map(({ app }) => app?.bundle)).toEqual(Array.from({ length: 4 }, () => "1234567890"));
});
