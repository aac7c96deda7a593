import { decodeTrace, replay } from "@millrace/auction";
import { explainAuction, type LineItemFields, sdkAd } from "@millrace/contract";
import { beforeEach, expect, test } from "vitest";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { gpp } from "../testing/consent-strings.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt } from "../testing/start-bidder.ts";
import { askForAd, DEVICE, fire, post, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();
const { pool } = at.stores.pg;

// What is drawn at random has tests of its own.
beforeEach(async () => {
  await pool.query("UPDATE apps SET exploration = 0 WHERE id = $1", [at.app.id]);
});

async function add(name: string, some: Partial<LineItemFields> = {}): Promise<number> {
  const { format = "banner", zones = [], enabled = true, gvl_id = null } = some;
  const { source = { kind: "html", html: `<p>${name}</p>`, size: { w: 320, h: 50 } } } = some;
  const { prices = [{ country: null, price: 3_000_000 }] } = some;
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO line_items (app_id, name, format, zones, enabled, source, prices, gvl_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now()) RETURNING id`,
    [at.app.id, name, format, zones, enabled, JSON.stringify(source), JSON.stringify(prices), gvl_id],
  );
  await at.exchange.exchange.reloadConfig();
  return rows[0]?.id ?? 0;
}

const ask = async (more: object = {}) => askForAd(at.exchange, await startSession(at.exchange, at.app), more);

async function explained(auction: string) {
  await at.exchange.rows("traces");
  const reply = await at.exchange.app.inject({ method: "GET", url: `/auctions/${auction}.json` });
  expect([reply.statusCode, reply.statusCode === 200 ? "" : reply.body]).toEqual([200, ""]);
  return explainAuction.reply.parse(reply.json());
}

test("a line item competes with bids, is shown and counted, and its price is in no column of money", async () => {
  await at.partner("rival", bidsAt(2));
  const id = await add("Tag", {
    prices: [
      { country: null, price: 3_000_000 },
      { country: "FR", price: 1_000_000 },
    ],
  });
  const { ads, auction, steps } = await ask();
  expect(steps).toBeUndefined();
  expect(ads).toMatchObject([
    {
      provider: "line-items",
      // For the app's own analytics; nothing that is booked has it.
      revenue_micros: 3_000,
      precision: "estimated",
      expected_micros: 3_000_000,
      markup: { type: "html", content: "<p>Tag</p>" },
    },
    { provider: "rival", revenue_micros: 1600 },
  ]);
  await fire(at.exchange, ads[0]?.beacons.impression ?? "");
  // A person does not click at once.
  at.exchange.clock.offsetMs += 2000;
  await fire(at.exchange, ads[0]?.beacons.click ?? "");
  const events = (await at.exchange.rows<Record<string, unknown>>("events")).filter(({ kind }) => kind !== "session");
  expect(events).toMatchObject([
    {
      kind: "impression",
      provider: "line-items",
      campaign_id: id,
      invalid: "",
      stated_micros: "3000000",
      expected_micros: "3000000",
    },
    { kind: "click", provider: "line-items", campaign_id: id, invalid: "" },
  ]);
  for (const event of events) {
    expect([event["revenue_micros"], event["cost_micros"], event["gross_micros"]]).toEqual(["0", "0", "0"]);
  }
  const [row] = await at.exchange.rows<Record<string, unknown>>("auctions");
  expect(row).toMatchObject({
    winner: "line-items",
    price_micros: "0",
    expected_micros: "3000000",
    campaign_id: id,
    asked: ["rival"],
  });
  const day = new Date(at.exchange.clock.now()).toISOString().slice(0, 10);
  expect(await at.exchange.statistics.lineItems.sums({ appId: at.app.id, ds: day, de: day })).toEqual([
    { lineItemId: id, country: "XX", impressions: 1, expectedMicros: 3_000_000n },
  ]);
  const told = await explained(auction);
  expect(told.imps[0]).toMatchObject({
    sentence: "Tag was the first to try for this banner, at an expected $3.0000 CPM.",
    price: null,
    order: [
      { name: "Tag", price: 3_000_000 },
      { name: "Partner rival", price: 2_000_000 },
    ],
  });
  expect(told.imps[0]?.detail).toContain("The next best, Partner rival, was $1.0000 behind.");
  expect(told.imps[0]?.detail).toContain(
    "Its seller pays you outside this platform, so it is in no revenue and no balance.",
  );
  expect(told.participants.map(({ name, results }) => [name, results[0]?.result, results[0]?.text])).toEqual([
    ["Partner rival", "outbid", "$1.0000 short"],
    [
      "Tag",
      "won",
      "The highest expected price that could be tried; ranked at the $3.0000 that it is expected to pay, as in 100% of auctions",
    ],
  ]);
  expect(told.replays).toBe(true);
});

test("with two line items, the one that was shown is named, also after the first", async () => {
  await add("First", { prices: [{ country: null, price: 4_000_000 }] });
  await add("Second");
  const { ads, auction } = await ask();
  await fire(at.exchange, ads[1]?.beacons.impression ?? "");
  expect((await explained(auction)).imps[0]?.sentence).toBe(
    "Second was shown as this banner with an expected $3.0000 CPM, after a higher place in the order.",
  );
});

test("a VAST tag becomes a wrapper with its macros filled, in the SDK's answer and in a player's tag", async () => {
  const url = "https://tags.example/vast?z={zone}&c={country}&id={device_id}&b={app_bundle}&x={unknown}&gdpr={gdpr}";
  await add("Player", { format: "video", source: { kind: "vast", url } });
  const { ads } = await ask({
    format: "video",
    zone: "intro",
    device: { ...DEVICE, ifa: "6d92078a-8246-4ba4-ae5b-76104861e7dc" },
  });
  expect(ads[0]?.markup.type).toBe("vast");
  const wrapped = (xml: string | undefined) =>
    /<VASTAdTagURI>(?:<!\[CDATA\[)?(.*?)(?:\]\]>)?<\/VASTAdTagURI>/.exec(xml ?? "")?.[1];
  const tag = (wrapped(ads[0]?.markup.content) ?? "").replaceAll("&amp;", "&");
  expect(tag).toMatch(
    /^https:\/\/tags\.example\/vast\?z=intro&c=[A-Z]{2}&id=6d92078a-8246-4ba4-ae5b-76104861e7dc&b=[^&]+&x=(\{|%7B)unknown(\}|%7D)&gdpr=0$/,
  );
  const limited = await ask({
    format: "video",
    device: { ...DEVICE, lmt: 1, ifa: "6d92078a-8246-4ba4-ae5b-76104861e7dc" },
  });
  expect(wrapped(limited.ads[0]?.markup.content)).toContain("&id=&");
  const reply = await at.exchange.app.inject({
    method: "GET",
    url: `/vast?app=${at.app.uuid}&zone=intro&format=video`,
  });
  expect(wrapped(reply.body)).toContain("https://tags.example/vast?z=intro");
});

test("what a device says of itself cannot leave the text that it fills", async () => {
  await add("Script", {
    source: { kind: "html", html: "<script>load('{us_privacy}', \"{gdpr_consent}\")</script>", size: null },
  });
  const { ads } = await ask({ consent: { us_privacy: `1');a('`, tcf: `"></script><script>a()//` } });
  expect(ads[0]?.markup.content).toBe(
    "<script>load('1)%3Ba(', \"%22%3E%3C%2Fscript%3E%3Cscript%3Ea()%2F%2F\")</script>",
  );
});

test("a tag's seller that reads no GPP gets its US Privacy string", async () => {
  await add("Script", { source: { kind: "html", html: "<script>load('{us_privacy}')</script>", size: null } });
  const { ads } = await ask({ consent: { gpp: gpp({ uspv1: { Notice: "Y", OptOutSale: "N" } }), gpp_sid: [6] } });
  expect(ads[0]?.markup.content).toBe("<script>load('1YN-')</script>");
});

test("an adapter is a step of the answer for SDKs that have it, and what became of it is recorded once", async () => {
  await at.partner("rival", bidsAt(2));
  const source = { kind: "sdk" as const, adapter: "Cedar", params: { placement: "p-1" } };
  const id = await add("Cedar banner", { source });
  const without = await ask();
  expect(without.ads.map(({ provider }) => provider)).toEqual(["rival"]);
  expect((await explained(without.auction)).participants.map(({ results }) => results[0]?.text)).toContain(
    "The app's SDK has no such adapter",
  );
  const reply = await ask({ adapters: ["Cedar", "Larch"] });
  expect(sdkAd.reply.parse(reply)).toEqual(reply);
  expect(reply.ads.map(({ provider }) => provider)).toEqual(["rival"]);
  expect(reply.steps).toMatchObject([
    {
      type: "adapter",
      provider: "line-items",
      adapter: "Cedar",
      params: { placement: "p-1" },
      expected_micros: 3_000_000,
      revenue_micros: 3_000,
      precision: "estimated",
    },
    { type: "ad", ad: 0 },
  ]);
  const [step] = reply.steps ?? [];
  const token = new URL(step?.type === "adapter" ? step.beacons.player : "").searchParams.get("t");
  const noFill = { type: "step", token, outcome: "no_fill" };
  const replies = await post(at.exchange, "/sdk/v1/events", {
    events: [noFill, noFill, { ...noFill, outcome: "great" }, { ...noFill, token: "x.y" }],
  });
  expect(replies.json()).toEqual({
    results: [
      { result: "accepted" },
      { result: "accepted" },
      { result: "refused", code: "malformed" },
      { result: "refused", code: "forged" },
    ],
  });
  await fire(at.exchange, reply.ads[0]?.beacons.impression ?? "");
  const told = await explained(reply.auction);
  expect(Object.fromEntries(told.followed.map(({ label, name }) => [label, name]))).toEqual({
    Impression: "Partner rival",
    "No fill": "Cedar banner",
  });
  expect(told.followed).toHaveLength(2);
  const [row] = (await at.exchange.rows<Record<string, unknown>>("auctions")).slice(-1);
  expect(row).toMatchObject({ winner: "line-items", campaign_id: id });
});

test("however many adapters are ranked above it, the best ad that needs none is in the answer", async () => {
  await at.partner("rival", bidsAt(2));
  const source = { kind: "sdk" as const, adapter: "Cedar", params: {} };
  for (const name of ["A", "B", "C", "D", "E", "F"]) await add(name, { source });
  const { ads, steps } = await ask({ adapters: ["Cedar"] });
  expect(ads.map(({ provider }) => provider)).toEqual(["rival"]);
  expect(steps?.map(({ type }) => type)).toEqual(["adapter", "adapter", "adapter", "adapter", "ad"]);
});

test("where nothing else is offered, all places of an answer are adapters'", async () => {
  const source = { kind: "sdk" as const, adapter: "Cedar", params: {} };
  for (const name of ["A", "B", "C", "D", "E", "F"]) await add(name, { source });
  const { ads, steps } = await ask({ adapters: ["Cedar"] });
  expect([ads.length, steps?.length]).toEqual([0, 5]);
});

test("an adapter's impression has the price that its SDK told in its address, and its step has the app's reward", async () => {
  await at.partner("rival", bidsAt(2));
  const source = { kind: "sdk" as const, adapter: "Cedar", params: {} };
  const id = await add("Cedar reward", { source, format: "rewarded" });
  await pool.query("UPDATE apps SET reward_name = 'gems', reward_amount = 7 WHERE id = $1", [at.app.id]);
  await at.exchange.exchange.reloadConfig();
  const { steps, auction } = await ask({ format: "rewarded", adapters: ["Cedar"] });
  const [step] = steps ?? [];
  if (step?.type !== "adapter") throw new Error("the answer has the adapter's step");
  expect(step.reward).toEqual({ name: "gems", amount: 7 });
  const told = async (url: string) => (await fire(at.exchange, url)).statusCode;
  expect(await told(`${step.beacons.player}&e=filled`)).toBe(200);
  expect(await told(`${step.beacons.impression}&paid_micros=4250000`)).toBe(200);
  const events = await at.exchange.rows<Record<string, unknown>>("events");
  const event = events.find(({ kind }) => kind === "impression");
  expect(event).toMatchObject({ campaign_id: id, revenue_micros: "0", paid_micros: "4250000", invalid: "" });
  expect((await explained(auction)).followed.map(({ label, name }) => `${label}: ${name}`).sort()).toEqual([
    "Adapter filled: Cedar reward",
    "Impression: Cedar reward",
  ]);
});

test.each(["-1", "1e9", "1000000001", "", "5.5"])(
  "a told price of '%s' is ignored, and the impression counts",
  async (wrong) => {
    await add("Cedar", { source: { kind: "sdk", adapter: "Cedar", params: {} } });
    const [step] = (await ask({ adapters: ["Cedar"] })).steps ?? [];
    if (step?.type !== "adapter") throw new Error("the answer has the adapter's step");
    expect((await fire(at.exchange, `${step.beacons.impression}&paid_micros=${wrong}`)).statusCode).toBe(200);
    const events = await at.exchange.rows<Record<string, unknown>>("events");
    expect(events.find(({ kind }) => kind === "impression")).toMatchObject({
      paid_micros: "0",
      paid_told: 0,
      invalid: "",
    });
  },
);

test("each line item that is not tried has its reason, and a caller that compares prices gets none", async () => {
  await add("Off", { enabled: false });
  await add("Elsewhere", { prices: [{ country: "FR", price: 1 }] });
  await add("Other zone", { zones: ["home"] });
  await add("Video", { format: "video", source: { kind: "vast", url: "https://tags.example/vast" } });
  const { auction, ads } = await ask({ zone: "top" });
  expect(ads).toEqual([]);
  const reasons = new Map((await explained(auction)).participants.map(({ name, results }) => [name, results[0]?.text]));
  expect(Object.fromEntries(reasons)).toEqual({
    Off: "The line item is switched off",
    Elsewhere: "The line item has no price for this country",
    "Other zone": "The line item is for other zones",
    Video: "The line item is for another format",
  });
  await add("Any");
  const { seatbid } = await askOpenrtb(at.exchange, bannerRequest());
  expect(seatbid).toBeUndefined();
  const rows = await at.exchange.rows<{ trace: string }>("traces");
  const last = new TextEncoder().encode(rows.at(-1)?.trace ?? "");
  expect(replay(last).same).toBe(true);
  const { refused } = decodeTrace(last).decision;
  expect(refused.map(({ reason }) => reason)).toEqual([
    "item_off",
    "item_price_missing",
    "caller_compares",
    "caller_compares",
    "caller_compares",
  ]);
});
