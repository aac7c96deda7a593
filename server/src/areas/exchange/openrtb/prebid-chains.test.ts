import { explainAuction } from "@millrace/contract";
import type { BidRequest } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt } from "../testing/start-bidder.ts";
import { ANDROID_UA, post } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

const chainOf = (sid: string, complete = 1) => ({
  ver: "1.0",
  complete,
  nodes: [{ asi: "games.example", sid, hp: 1 }],
});
// An address without its last part is stored as it is.
const device = { ua: ANDROID_UA, ip: "8.8.8.0", os: "Android" };

/** The sellers of a request, at the place of its version. */
const sellersOf = ({ source }: BidRequest) => {
  const schain = source?.schain ?? (source?.ext?.["schain"] as NonNullable<BidRequest["source"]>["schain"]);
  return [schain?.complete, ...(schain?.nodes.map(({ sid }) => sid) ?? [])];
};

test("each bidder is told the supply chain that the request has for it, ended by the platform", async () => {
  const [one, older, other] = [
    await at.partner("one", bidsAt(1)),
    await at.partner("older", bidsAt(2), { openrtb_version: "2.5" }),
    await at.partner("other", bidsAt(3)),
  ];
  const { rows } = await at.stores.pg.pool.query<{ uuid: string }>("SELECT uuid FROM accounts WHERE id = $1", [
    at.app.accountId,
  ]);
  const own = rows[0]?.uuid;
  const told = async (schains: unknown, source?: BidRequest["source"]) => {
    const request = bannerRequest({ device, ext: { prebid: { schains } }, ...(source && { source }) });
    await askOpenrtb(at.exchange, request);
    return [one, older, other].map(({ requests }) => sellersOf(requests.at(-1) as BidRequest));
  };
  const forTwo = [
    { bidders: ["one"], schain: chainOf("1") },
    { bidders: ["older", "nobody"], schain: chainOf("2", 0) },
  ];
  const [toOne, toOlder] = [
    [1, "1", own],
    [0, "2", own],
  ];
  expect(await told(forTwo)).toEqual([toOne, toOlder, [0, own]]);
  expect(await told(forTwo, { schain: chainOf("all") })).toEqual([toOne, toOlder, [1, "all", own]]);
  expect(await told(forTwo, { ext: { schain: chainOf("all") } })).toEqual([toOne, toOlder, [1, "all", own]]);
  expect(one.requests.at(-1)?.source?.ext).toBeUndefined();
  expect(await told([...forTwo, { bidders: ["*"], schain: chainOf("3") }], { schain: chainOf("all") })).toEqual([
    toOne,
    toOlder,
    [1, "3", own],
  ]);
  for (const { requests } of [one, older, other]) expect(JSON.stringify(requests)).not.toContain("schains");
  const [row] = (await at.exchange.rows<{ auction_id: string }>("auctions")).slice(-1);
  const reply = await at.exchange.app.inject({ method: "GET", url: `/auctions/${row?.auction_id}.json` });
  const { participants } = explainAuction.reply.parse(reply.json());
  for (const [provider, { requests }] of Object.entries({ one, older, other })) {
    const shown = participants.find((each) => each.provider === provider)?.calls[0]?.sent?.body;
    expect(requests.map((sent) => JSON.stringify(sent))).toContain(JSON.stringify(shown));
  }
});

test("an alias has a supply chain of its own, and the platform's name at a partner ends it", async () => {
  const buyer = await at.partner("buyer", bidsAt(1));
  await at.stores.pg.pool.query(`UPDATE partners SET schain_node = '{"asi": "sales.example", "sid": "7"}'`);
  await at.exchange.exchange.reloadConfig();
  const [imp] = bannerRequest().imp;
  await askOpenrtb(at.exchange, {
    ...bannerRequest(),
    imp: [{ ...imp, ext: { prebid: { bidder: { buyer: {}, other: {} } } } }],
    ext: {
      prebid: {
        aliases: { other: "buyer" },
        schains: [
          { bidders: ["buyer"], schain: chainOf("1") },
          { bidders: ["other"], schain: chainOf("2", 0) },
        ],
      },
    },
  });
  expect(new Set(buyer.requests.map(sellersOf))).toEqual(
    new Set([
      [1, "1", "7"],
      [0, "2", "7"],
    ]),
  );
});

test("a bidder with two supply chains, and a malformed one, are refused by name", async () => {
  const buyer = await at.partner("buyer", bidsAt(1));
  const cases: [unknown, string][] = [
    ["x", "ext.prebid.schains"],
    [[{ schain: chainOf("1") }], "ext.prebid.schains[0].bidders"],
    [[{ bidders: ["buyer"] }], "ext.prebid.schains[0].schain"],
    [
      [{ bidders: ["a"], schain: { ver: "1.0", complete: 1, nodes: [{ asi: "a.example" }] } }],
      "ext.prebid.schains[0].schain.nodes[0].sid",
    ],
    [
      [
        { bidders: ["a", "buyer"], schain: chainOf("1") },
        { bidders: ["b", "buyer"], schain: chainOf("2") },
      ],
      "ext.prebid.schains[1].bidders[1]",
    ],
    [[{ bidders: ["*", "*"], schain: chainOf("1") }], "ext.prebid.schains[0].bidders[1]"],
  ];
  for (const [schains, path] of cases) {
    const reply = await post(at.exchange, "/openrtb2/auction", bannerRequest({ ext: { prebid: { schains } } }));
    expect(reply.statusCode).toBe(400);
    expect(Object.keys(reply.json<{ error: object }>().error)).toEqual([path]);
  }
  expect(buyer.requests).toEqual([]);
});
