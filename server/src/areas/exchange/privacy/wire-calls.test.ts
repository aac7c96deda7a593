import { expect, test } from "vitest";
import { askForAd, DEVICE, startSession } from "../testing/start-exchange.ts";
import { gpp } from "../testing/consent-strings.ts";
import { personalRequest, personalDataIn } from "../testing/personal-request.ts";
import { NOTHING, privacyBidders } from "../testing/privacy-bidders.ts";

const { at, bidders } = await privacyBidders();

test.each([
  [0, NOTHING],
  [1, NOTHING],
  [2, NOTHING],
  [3, ["deviceIds"]],
] as const)(
  "an SDK's ATT status %i is sent as device.ext.atts, and below 3 without the advertising id",
  async (status, told) => {
    const { ifa } = personalRequest({}, "2.6").device ?? {};
    const device = { ...DEVICE, ifa, lmt: 0, att_status: status };
    const session = await startSession(at.exchange, at.app, { device });
    await askForAd(at.exchange, session, { device });
    const [request] = bidders.interested.requests;
    expect(request && personalDataIn(request)).toEqual(told);
    expect(request).toMatchObject({ device: { ext: { atts: status } } });
  },
);

test.each([
  ["usnat", "7", []],
  ["usnat", "8,7", []],
  ["usnat", "8_7", []],
  ["usnat", "-1", ["deviceIds"]],
  ["tcfcav1", "5", []],
] as const)("a VAST tag's gpp of %s with gpp_sid=%s counts as in other calls", async (section, sids, told) => {
  const { ifa } = personalRequest({}, "2.6").device ?? {};
  const text = gpp({ [section]: section === "usnat" ? { SaleOptOut: 1 } : {} });
  const query = new URLSearchParams({
    app: at.app.uuid,
    zone: "a",
    ifa: ifa ?? "",
    lmt: "0",
    gpp: text,
    gpp_sid: sids,
  });
  const reply = await at.exchange.app.inject({ method: "GET", url: `/vast?${query.toString()}` });
  expect(reply.statusCode).toBe(200);
  const [request] = bidders.interested.requests;
  expect(request && personalDataIn(request)).toEqual(told);
  expect(request).toMatchObject({ regs: { gpp: text, gpp_sid: sids.split(/[,_]/).map(Number) } });
});

test.each(["x", "7;8", "7,", "1234"])("a VAST tag with gpp_sid=%s is refused with the field's name", async (sids) => {
  const url = `/vast?app=${at.app.uuid}&zone=a&gpp_sid=${sids}`;
  const reply = await at.exchange.app.inject({ method: "GET", url });
  expect([reply.statusCode, Object.keys(reply.json<{ error: object }>().error)]).toEqual([400, ["gpp_sid"]]);
});

/** What a tag's parameters are when its player or page did not fill them in. */
const UNTOLD = {
  "unknown to the player": "-1",
  "not to be told by the player": "-2",
  empty: "",
  "a macro of a player": "[IFA]",
  "a macro of an ad server": "%%IFA%%",
  "a macro of a tag manager": "{{ifa}}",
  "a macro with a dollar sign": "${IFA}",
};

test.each(Object.entries(UNTOLD))("what a VAST tag leaves %s is neither a signal nor an id", async (_, value) => {
  const names = ["ifa", "lmt", "gdpr", "tcf", "us_privacy", "gpp", "coppa", "w", "h"];
  const query = new URLSearchParams({ app: at.app.uuid, zone: "a" });
  for (const name of names) query.set(name, value);
  if (value !== "-1") query.set("gpp_sid", value);
  const reply = await at.exchange.app.inject({ method: "GET", url: `/vast?${query.toString()}` });
  expect([reply.statusCode, reply.body]).toEqual([200, expect.stringContaining("<VAST")]);
  const [request] = bidders.interested.requests;
  expect(request).toMatchObject({ regs: { coppa: 0 }, imp: [{ video: { w: 640, h: 360 } }] });
  const { regs, user, device } = request ?? expect.fail();
  expect([regs, user, device?.ifa, device?.lmt]).toEqual([{ coppa: 0 }, undefined, undefined, undefined]);
});
