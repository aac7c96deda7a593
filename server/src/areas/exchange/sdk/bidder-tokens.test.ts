import { expect, test } from "vitest";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt } from "../testing/start-bidder.ts";
import { askForAd, DEVICE, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

const bidder_tokens = { first: "token-of-first", second: "token-of-second" };

test("each partner is told the token of its own SDK alone, and none where a signal withholds the user's ids", async () => {
  const [first, second, third] = [
    await at.partner("first", bidsAt(1)),
    await at.partner("second", bidsAt(2)),
    await at.partner("third", bidsAt(3)),
  ];
  const session = await startSession(at.exchange, at.app);
  await askForAd(at.exchange, session, { bidder_tokens, device: { ...DEVICE, lmt: 0 } });
  expect([first, second, third].map(({ requests }) => requests[0]?.user)).toEqual([
    { buyeruid: "token-of-first" },
    { buyeruid: "token-of-second" },
    undefined,
  ]);
  await askForAd(at.exchange, session, { bidder_tokens, device: { ...DEVICE, lmt: 1 } });
  for (const { requests } of [first, second, third]) expect(JSON.stringify(requests[1])).not.toContain("token-of");
});
