import { expect, test } from "vitest";
import { gpp, tcf } from "../testing/consent-strings.ts";
import { personalRequest, type Signals } from "../testing/personal-request.ts";
import { ALL, everybody, inBoth, privacyBidders, VERSIONS, without } from "../testing/privacy-bidders.ts";
import { askForAd, DEVICE, startSession } from "../testing/start-exchange.ts";

// Where the requests below come from: Germany by what they say, Britain by their address.
const { at, bidders, toldUnder } = await privacyBidders(["DE", "GB"]);

const nobody = { interested: null, consented: null, unlisted: null, nameless: null };
const forOneVendor = tcf({ vendors: [91], purposes: [1, 2, 3, 4, 7] });
const asConsented = { ...nobody, consented: without("address", "location") };
const ofUtah = gpp({ usut: { SaleOptOut: 2 } });

test.each(
  inBoth<Signals, object>([
    ["nothing", {}, nobody],
    ["only that the user is no child", { regs: { coppa: 0 } }, nobody],
    ["no more than a TCF string", { consent: forOneVendor }, asConsented],
    ["that the GDPR does not apply", { regs: { gdpr: 0 } }, everybody(ALL)],
    ["that a law of the United States applies", { regs: { gpp: ofUtah, gpp_sid: [11] } }, everybody(ALL)],
  ]),
)(
  "from a country under the GDPR, a request that says %s reaches the bidders that it may, in OpenRTB %s",
  async (_, version, signals, told) => {
    expect(await toldUnder(signals, version)).toEqual(told);
  },
);

test.each(VERSIONS)(
  "a bidder is told that the GDPR applies where the country says so alone, in OpenRTB %s",
  async (version) => {
    await toldUnder({ consent: forOneVendor }, version);
    // This bidder reads OpenRTB 2.5.
    expect(bidders.consented.requests[0]).toMatchObject({
      regs: { ext: { gdpr: 1 } },
      user: { ext: { consent: forOneVendor } },
    });
  },
);

test("an app and a player in such a country that say nothing get no partner asked", async () => {
  const british = { "x-forwarded-for": "81.2.69.142" };
  const { ifa } = personalRequest({}, "2.6").device ?? {};
  const device = { ...DEVICE, ifa, lmt: 0 };
  const vast = (more: string) =>
    at.exchange.app.inject({
      method: "GET",
      url: `/vast?app=${at.app.uuid}&zone=a&ifa=${ifa}${more}`,
      headers: british,
    });
  await askForAd(at.exchange, await startSession(at.exchange, at.app, { device }), { device }, british);
  await vast("");
  expect(Object.values(bidders).flatMap(({ requests }) => requests)).toEqual([]);
  await vast("&gdpr=0");
  expect(bidders.nameless.requests.length).toBe(1);
});
