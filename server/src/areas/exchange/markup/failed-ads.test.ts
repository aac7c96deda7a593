import { expect, onTestFinished, test, vi } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { LazyBeaconUrls } from "../delivery/beacon-urls.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsMarkup } from "../testing/start-bidder.ts";
import { askForAd, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();
const nativeTo = (url: string) =>
  bidsMarkup(JSON.stringify({ ver: "1.2", assets: [{ id: 1, title: { text: "Hello" } }], link: { url } }), 4);

/** No bid is known that makes our code throw, and none may stop an auction if there is one. */
function failAdsThatLeadTo(host: string): void {
  const { withDestination } = LazyBeaconUrls.prototype;
  const faulty = vi.spyOn(LazyBeaconUrls.prototype, "withDestination").mockImplementation(function (
    this: LazyBeaconUrls,
    destination,
  ) {
    if (destination.includes(host)) throw new Error("A fault of ours");
    return withDestination.call(this, destination);
  });
  onTestFinished(() => faulty.mockRestore());
}

test("an ad that cannot be made leaves its place to the next, and is logged once for its bidder", async () => {
  failAdsThatLeadTo("faulty.example");
  const logged = vi.spyOn(silentLog, "error");
  onTestFinished(() => logged.mockRestore());
  await at.partner("faulty", nativeTo("https://faulty.example/"), { media_types: ["native"] });
  await at.partner("rival", nativeTo("https://rival.example/"), { media_types: ["native"] });
  const session = await startSession(at.exchange, at.app);
  for (let nth = 0; nth < 3; nth++) {
    const { ads } = await askForAd(at.exchange, session, { format: "native" });
    expect(ads.map(({ provider }) => provider)).toEqual(["rival"]);
  }
  expect(logged.mock.calls.filter(([, text]) => text === "An ad could not be made")).toHaveLength(1);
});
