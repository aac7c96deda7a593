import type { BidRequest } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { bidsOf, requestsOf } from "../requests-of.ts";
import type { PartnerId } from "../catalogue.ts";
import { fixturesOf } from "../testing/partner-fixtures.ts";

/** The generic adapter has no address of its own. */
const ENDPOINT = new Map<PartnerId, string>([["openrtb", "https://b.example.com"]]);

/** An imp that sells a banner and a video, without what some partners need of a video. */
const requestFor = (partner: PartnerId): BidRequest => ({
  id: "r",
  imp: [
    {
      id: "1",
      banner: { w: 320, h: 50, format: [{ w: 320, h: 50 }] },
      video: { mimes: ["video/mp4"] },
      ext: { bidder: fixturesOf(partner)?.keys },
    },
  ],
  app: { id: "app-1" },
  device: { os: "android" },
});

test.each(["adtelligent", "axonix", "epsilon", "improvedigital", "openrtb", "sovrn", "verve"] as const)(
  "%s is asked and read by the media types that the operator has chosen, not by the others of the imp",
  (partner) => {
    const request = requestFor(partner);
    const options = { host: { endpoint: ENDPOINT.get(partner) ?? "", mediaTypes: ["banner"] as const } };
    const calls = requestsOf(partner, request, options);
    const [call] = "code" in calls ? [] : calls;
    if (!call) throw new Error(JSON.stringify(calls));
    const body = { id: "r", seatbid: [{ bid: [{ id: "b", impid: "1", price: 1, adm: "<a>" }] }] };
    const read = bidsOf(partner, { status: 200, headers: {}, body }, request, call, options);
    expect(read).toMatchObject({ bids: [{ mediaType: "banner" }] });
  },
);

test.each(["equativ", "medianet", "openrtb", "thetradedesk", "xandr"] as const)(
  "a bid of %s that says it is of a media type that the operator has not chosen is dropped",
  (partner) => {
    const request = requestFor(partner);
    const platformIds = { supplyId: "1" };
    const options = { host: { endpoint: ENDPOINT.get(partner) ?? "", mediaTypes: ["banner"] as const, platformIds } };
    const calls = requestsOf(partner, request, options);
    const [call] = "code" in calls ? [] : calls;
    if (!call) throw new Error(JSON.stringify(calls));
    const bid = { id: "b", impid: "1", price: 1, adm: "<VAST/>", mtype: 2, ext: { appnexus: { bid_ad_type: 1 } } };
    const read = (body: object) => bidsOf(partner, { status: 200, headers: {}, body }, request, call, options);
    expect(read({ id: "r", seatbid: [{ bid: [bid] }] })).toMatchObject({ bids: [] });
  },
);
