import type { WorldRegion } from "@millrace/contract";
import type { BidRequest, Imp, MediaType } from "@millrace/openrtb";

/** A place of each media type. */
const PLACES: Record<MediaType, Partial<Imp>> = {
  banner: { banner: { w: 320, h: 50, format: [{ w: 320, h: 50 }] } },
  video: {
    video: {
      mimes: ["video/mp4"],
      minduration: 5,
      maxduration: 30,
      protocols: [2, 3, 7],
      w: 640,
      h: 360,
      linearity: 1,
    },
  },
  audio: { audio: { mimes: ["audio/mp4"], minduration: 5, maxduration: 30 } },
  native: {
    native: {
      ver: "1.2",
      request: JSON.stringify({
        ver: "1.2",
        assets: [
          { id: 1, required: 1, title: { len: 25 } },
          { id: 2, required: 1, img: { type: 3, w: 1200, h: 627 } },
        ],
      }),
    },
  },
};

/** A country of each region, by three letters as OpenRTB has it. */
const COUNTRIES: Record<WorldRegion, string> = { americas: "USA", emea: "DEU", apac: "JPN" };

/**
 * A test request for a place of one media type (OpenRTB 2.6: `test`), of nobody's device in a country of the region: the address is reserved for
 * documentation (RFC 5737), and all ids are zeros.
 */
export const sampleRequest = (id: string, mediaType: MediaType, keys: object, region: WorldRegion): BidRequest => ({
  id,
  test: 1,
  at: 1,
  tmax: 1000,
  cur: ["USD"],
  imp: [{ id: "1", tagid: "test", secure: 1, ...PLACES[mediaType], ext: { bidder: keys } }],
  app: {
    id: "test",
    name: "Test app",
    bundle: "com.example.test",
    storeurl: "https://play.google.com/store/apps/details?id=com.example.test",
    publisher: { id: "test", name: "Test publisher" },
  },
  device: {
    ua: "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36",
    ip: "192.0.2.1",
    geo: { country: COUNTRIES[region] },
    os: "Android",
    osv: "14",
    make: "Google",
    model: "Pixel 8",
    devicetype: 4,
    ifa: "00000000-0000-0000-0000-000000000000",
    lmt: 1,
    language: "en",
  },
  user: { id: "test", buyeruid: "test" },
});
