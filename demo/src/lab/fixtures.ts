import type { BidRequest, Imp } from "@millrace/openrtb";

/** One imp of each format. */
export const IMPS = {
  banner: { id: "1", banner: { w: 320, h: 50 } },
  interstitial: { id: "1", instl: 1, banner: { w: 320, h: 480 } },
  video: { id: "1", video: { mimes: ["video/mp4"], minduration: 5, maxduration: 30, protocols: [13], w: 640, h: 360 } },
  rewarded: { id: "1", rwdd: 1, instl: 1, video: { mimes: ["video/mp4"], minduration: 5, maxduration: 60, skip: 0 } },
  native: {
    id: "1",
    native: {
      ver: "1.2",
      request: JSON.stringify({
        ver: "1.2",
        assets: [
          { id: 1, required: 1, title: { len: 40 } },
          { id: 2, required: 1, img: { type: 3, wmin: 600, hmin: 314 } },
          { id: 3, required: 0, img: { type: 1, w: 80, h: 80 } },
          { id: 4, required: 1, data: { type: 2, len: 60 } },
          { id: 5, required: 0, data: { type: 12 } },
        ],
      }),
    },
  },
  audio: { id: "1", audio: { mimes: ["audio/mpeg"], minduration: 5, maxduration: 30 } },
} as const satisfies Record<string, unknown>;

/** A request with one imp, from a phone. */
export const requestFor = (id: string, imp: unknown, country = "USA"): BidRequest => ({
  id,
  imp: [structuredClone(imp) as Imp],
  app: { id: "7", bundle: "com.example.tidepuzzle" },
  device: { os: "Android", devicetype: 4, ifa: "5f0c8a3e-41b7-4a5e-9d6b-2f1f6f2c7a11", lmt: 0, geo: { country } },
  tmax: 100,
  cur: ["USD"],
});
