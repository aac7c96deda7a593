import { defineAdapter } from "./adapter/define-adapter.ts";
import { bannerWith, isRewarded } from "./adapter/imp-changes.ts";
import { byExt, bySoleType } from "./adapter/media-type-of-bid.ts";

interface Keys {
  sid: string;
  token: string;
  placementId?: string;
  appId?: string;
  region?: keyof typeof HOSTS;
}

const HOSTS = { APAC: "apac.xyz", USE: "use.xyz", EUC: "euc.xyz" };

export const algorix = defineAdapter<Keys>({
  id: "algorix",
  name: "AlgoriX",
  gvlId: 1176,
  mediaTypes: ["banner", "video", "native"],
  endpoint: "https://{{Host}}.svr-algorix.com/rtb/sa?sid={{SourceId}}&token={{AccountID}}",
  openrtbVersion: "2.5",
  gzip: false,
  keys: {
    properties: {
      sid: { type: "string", title: "Supply ID" },
      token: { type: "string", title: "Token" },
      placementId: { type: "string", title: "Placement ID" },
      appId: { type: "string", title: "App ID" },
      region: { type: "string", title: "Region", enum: ["APAC", "USE", "EUC"] },
    },
    required: ["sid", "token"],
  },
  plan: ({ sid, token, region }) => ({
    macros: { Host: region ? HOSTS[region] : "xyz", SourceId: sid, AccountID: token },
    imp: {
      banner: bannerWith({ size: "any-missing" }),
      video: (imp) => imp.video && { ...imp.video, ...(isRewarded(imp) && { ext: { rewarded: 1 } }) },
    },
  }),
  response: {
    mediaType: [
      byExt("mediaType", { banner: "banner", native: "native", video: "video" }),
      bySoleType("banner", "native", "video"),
    ],
    currency: "USD",
    ownId: true,
  },
});
