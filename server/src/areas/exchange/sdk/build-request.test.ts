import { expect, test } from "vitest";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsNothing } from "../testing/start-bidder.ts";
import { askForAd, DEVICE, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

test("bidders get a language of two letters as such, and one of three letters as a tag", async () => {
  const partner = await at.partner("asked", bidsNothing);
  const session = await startSession(at.exchange, at.app);
  for (const language of ["DE", "en-US", "zh_Hant_TW", "fil-PH", "haw", "sr_Latn", "x-klingon", ""])
    await askForAd(at.exchange, session, { device: { ...DEVICE, language } });
  expect(partner.requests.map(({ device }) => device?.language ?? `langb ${device?.langb}`)).toEqual([
    "de",
    "en",
    "zh",
    "langb fil-PH",
    "langb haw",
    "sr",
    "langb undefined",
    "langb undefined",
  ]);
  expect(partner.requests.filter(({ device }) => device?.language && device.langb)).toEqual([]);
});
